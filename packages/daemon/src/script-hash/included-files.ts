import path from "node:path";

/** How scripts of a language name the files that they include, relative to their own folder. */
type Language = { endings: RegExp; includes: readonly RegExp[]; candidates: (reference: string) => string[] };

const JS_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".json", "/index.js", "/index.ts"];

const languages: readonly Language[] = [
  {
    endings: /\.(?:js|mjs|cjs|ts|mts)$/,
    includes: [/\b(?:import|export)\b[^'"`;]*?["'`](\.{1,2}\/[^"'`]+)["'`]/g, /\b(?:require|import)\s*\(\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g],
    candidates: (reference) => JS_ENDINGS.map((ending) => reference + ending),
  },
  {
    endings: /\.py$/,
    includes: [/^[ \t]*from[ \t]+([\w.]+)[ \t]+import\b/gm, /^[ \t]*import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)/gm],
    candidates: (reference) =>
      reference.split(",").flatMap((name) => {
        const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(name.trim()) ?? [];
        const base = path.join("../".repeat(Math.max(0, dots.length - 1)) || ".", rest.replaceAll(".", "/"));
        return [`${base}.py`, `${base}/__init__.py`];
      }),
  },
  {
    endings: /\.rb$/,
    includes: [/\b(?:require_relative|load)\s*\(?\s*["']([^"']+)["']/g],
    candidates: (reference) => [reference, `${reference}.rb`],
  },
  {
    endings: /\.php$/,
    includes: [/\b(?:require|include)(?:_once)?\b[^"';]*["']([^"']+)["']/g],
    candidates: (reference) => [reference, `.${reference}`],
  },
];

/** The interpreter in the first line of a script without an ending, as the ending that it would have. */
const ENDING_OF: readonly [RegExp, string][] = [
  [/^#!.*\b(?:node|deno|bun|tsx)\b/, ".js"],
  [/^#!.*\bpython[\d.]*\b/, ".py"],
  [/^#!.*\bruby\b/, ".rb"],
  [/^#!.*\bphp\b/, ".php"],
];

/**
 * The files that a script may include, as far as its text shows it. `files`: relative imports of JavaScript, Python, Ruby and PHP, relative to
 * the folder of the script. `lines`: the lines of a shell script that may run or include another file, with the folder of the script and
 * plain variables written out.
 */
export type Includes = { files: readonly string[] } | { lines: readonly string[] };

/** Reads what a script includes. `file`: its path. */
export function includesOf(file: string, text: string): Includes {
  const ending = ENDING_OF.find(([start]) => start.test(text))?.[1];
  const language = languages.find(({ endings }) => endings.test(ending ?? file));
  if (!language) return { lines: shellLines(path.dirname(file), text) };
  const references = language.includes.flatMap((include) => Array.from(text.matchAll(include), ([, name = ""]) => name));
  return { files: [...new Set(references.flatMap(language.candidates))] };
}

/** `$(dirname "$0")`, `$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)` and `${0%/*}`. */
const SELF = String.raw`"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})"?`;
const DIRNAME = String.raw`\$\(dirname (?:-- )?${SELF}\)`;
const OWN_FOLDER = new RegExp(
  String.raw`\$\(cd (?:-- )?"?${DIRNAME}"?(?: ?>/dev/null)?(?: 2>&1)? ?&& ?pwd(?: -P)?\)|${DIRNAME}|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}`,
  "g",
);
const MAY_RUN_FILE = /[/.]|\b(?:sh|bash|zsh|dash|python|node|deno|bun|ruby|perl|php|tsx|source)\b/;

function shellLines(folder: string, text: string): string[] {
  const whole = text.replaceAll("\\\n", " ").replaceAll(OWN_FOLDER, () => folder);
  const plain = [...whole.matchAll(/^[ \t]*(?:(?:export|readonly|local)[ \t]+)?(\w+)="?([^\s"'$`]+)"?[ \t]*$/gm)];
  const variables = new Map(plain.map(([, name = "", value = ""]) => [name, value]));
  return whole
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) =>
      line.replaceAll(
        /\$(?:\{(\w+)\}|(\w+))/g,
        (written, braced?: string, bare?: string) => variables.get(braced ?? bare ?? "") ?? written,
      ),
    )
    .filter((line) => MAY_RUN_FILE.test(line));
}
