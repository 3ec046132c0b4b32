import { attempt } from "../files/path-on-disk.ts";

/** Files with commands that a program runs without an argument that names them. */
export const RUN_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", "JUSTFILE", ".justfile"],
  ...Object.fromEntries(["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["package.json"]])),
};

/** Returns the commands that a call with these words takes from such a text. Undefined if the text may hold others. */
export function commandsTakenFrom(text: string, base: string, call: readonly string[]): string[] | undefined {
  if (base !== "make" && base !== "just") return scriptsRun(text, call);
  const values = new Map([["CC", "cc"], ["CXX", "c++"], ["MAKE", "make"], ["RM", "rm -f"]]); // prettier-ignore
  for (const [, name = "", value = ""] of text.matchAll(ASSIGNMENTS)) values.set(name, `${values.get(name) ?? ""} ${value}`.trim());
  const commands: string[] = [];
  let rule: readonly string[] = [];
  let firstTarget: string | undefined;
  for (const line of text.split("\n")) {
    const [, target, needs = "", inline] = RULE.exec(line) ?? [];
    if (target !== undefined) rule = [target, needs.trim()];
    firstTarget ??= target;
    const command = inline ?? (base === "make" ? /^\t(.*)/ : /^\s+(.*)/).exec(line)?.[1];
    if (command === undefined && target === undefined && !PLAIN_LINE.test(line)) return undefined;
    if (command !== undefined && (rule[0] === firstTarget || isUsed(rule[0] ?? "", text, call)))
      commands.push(expanded(command.replace(/^[\s@+-]+/, ""), rule, values));
  }
  return commands;
}

/** Returns the scripts of a manifest that a call may run: all of them, unless it names some or only installs. */
function scriptsRun(text: string, call: readonly string[]): string[] | undefined {
  const manifest = attempt(() => JSON.parse(text) as { scripts?: Record<string, unknown> } | null);
  if (manifest === undefined) return text.includes("scripts") ? undefined : [];
  const scripts = Object.entries(manifest?.scripts ?? {});
  const isNamed = ([name]: [string, unknown]) => call.includes(name) || call.includes(name.replace(/^(pre|post)/, ""));
  const isNarrow = scripts.some(isNamed) || /^(install|i|ci|add)$/.test(call[0] ?? "");
  return scripts.flatMap((each) => (!isNarrow || isNamed(each) || /^(prepare|(pre|post)?install)$/.test(each[0]) ? [String(each[1])] : []));
}

/** False for a target that neither the call nor the rest of the text names. */
const isUsed = (target: string, text: string, call: readonly string[]): boolean =>
  !/^[\w-]+$/.test(target) ||
  [...call, text.replaceAll(/^\.PHONY:.*/gm, "").replace(`${target}:`, "")].some((each) => each.split(/[^\w-]+/).includes(target));

/** Returns a line of a recipe as the shell gets it. A variable that the text does not set stays one. */
function expanded(line: string, [target = "", needs = ""]: readonly string[], values: ReadonlyMap<string, string>, depth = 0): string {
  const names = (list: string) => (/(^| )%( |$)/.test(list) ? undefined : list.replaceAll("%", "a"));
  const automatic: Record<string, string | undefined> = { "@": target.includes(" ") ? undefined : names(target), "^": names(needs) };
  return line.replaceAll(REFERENCE, (whole, sign: string, name: string = sign, from: string = "", to: string = "", just?: string) => {
    if (sign === "$") return "$";
    const plain = /^(["'])([^"'+]*)\1$/.exec(values.get(just ?? "") ?? "")?.[2];
    const value =
      just === undefined ? (values.get(name) ?? automatic[name] ?? (name === "<" ? names(needs)?.split(" ")[0] : undefined)) : plain;
    if (value === undefined || depth > MAX_NESTED) return just === undefined ? whole.replace(/\((.*)\)/, "{$1}") : "$x";
    const words = value.replaceAll(/\S+/g, (word) => (word.endsWith(from) ? word.slice(0, word.length - from.length) + to : word));
    return expanded(words, [target, needs], values, depth + 1);
  });
}

const MAX_NESTED = 5;
const REFERENCE = /\$(\$|[({](\w+)(?::(\.\w+)=(\.\w+))?[)}]|[@<^]|\w)|\{\{\s*([^}]*?)\s*\}\}/g;
const ASSIGNMENTS = /^(?:export |alias )?(\w+)[ \t]*[:?+]?=[ \t]*(.*)$/gm;
/** A rule, with a command behind a semicolon. */
const RULE =
  /^(\.PHONY|(?:[^\s:=#$.]|\b \b|\B\.|\b\.|\$[({]\w+[)}])(?:[^\s:=#$]|\b |\$[({]\w+[)}])*)\s*:((?:[^=;#`$]|\$[({]\w+[)}])*)(?:;(.*)|#.*)?$/;
/** A line in which neither program runs anything: a comment, a condition, or a variable that is only text. */
const PLAIN_LINE =
  /^\s*(#.*[^\\]|#?)$|^(endif|else|ifn?eq \([\w$(), ]*\)|set dotenv-load.*)$|^(export |alias )?(?!SHELL|(GNU)?MAKEFLAGS)\w+\s*[:?+]?=(?!.*(shell|env))([^`\\$]|\$[({]\w+(:\.\w+=\.\w+)?[)}])*$/;
