import path from "node:path";
import { pathKind, readText } from "../files/path-on-disk.ts";
import type { ProjectCode } from "../programs/program-types.ts";
import { ENDINGS } from "./project-code.ts";

type Language = ProjectCode["language"];

/** The limit for files that pass on a name from one another. */
const MAX_FILES = 4;

/** The limit for a file in which the gate looks for a name, in characters. */
const MAX_LENGTH = 300_000;

/** True if a module of the project defines a name itself, or passes it on from another file of the project that defines it. */
export function defines(file: string, name: string, language: Language, depth = 0): boolean {
  const text = readText(file) ?? "";
  if (text.length > MAX_LENGTH) return false;
  if (file.endsWith(".json")) return true;
  if (definedIn(text, name, language)) return true;
  if (depth >= MAX_FILES) return false;
  return sourcesOf(text, name, language).some(([from, original]) =>
    filesOf(from, file, language).some((each) => defines(each, original, language, depth + 1)),
  );
}

/** True if a text defines a name with code or a value of its own. An alias such as `go = subprocess.run` does not count. */
function definedIn(text: string, name: string, language: Language): boolean {
  const values = [...text.matchAll(language === "python" ? inPython(name) : inNode(name))].map(({ groups }) => groups?.["value"]);
  return values.length > 0 && values.every((value) => value === undefined || !ALIAS.test(value.trim()));
}

/** A value that comes from elsewhere. */
const ALIAS =
  /^((?!(?:True|False|None|true|false|null)\b)[A-Za-z_$][\w$.]*|.*\b(require|import|import_module|__import__|getattr|getBuiltinModule|partial|bind)\b.*)[;,]?(\s*(#|\/\/).*)?$/;

const inPython = (name: string) =>
  new RegExp(
    String.raw`^[ \t]*(?:(?:async[ \t]+)?(?:def|class)[ \t]+${name}\b|(?:self\.)?${name}[ \t]*(?::[^=\n]+)?=(?!=)(?<value>[^\n]*))`,
    "gm",
  );

const inNode = (name: string) =>
  name === "default"
    ? /\b(?:export\s+default|module\.exports\s*=)\s*(?<value>[^\n]*)/g
    : new RegExp(
        String.raw`\b(?:function\s*\*?|class)\s+${name}\b|\b(?:(?:const|let|var)\s+|exports\.)${name}\s*(?::[^=\n]+)?=(?!=)(?<value>[^\n]*)|\b${name}(?<=[{,]\s*${name})\s*:(?<value>[^\n]*)|\b${name}(?<=[{},;]\s*(?:static\s+)?(?:async\s+)?${name})\s*\([^()]*\)\s*(?::[^{\n]+)?\{`,
        "g",
      );

/** Returns the places from which a text passes on a name, with its name there. */
function sourcesOf(text: string, name: string, language: Language): [from: string, original: string][] {
  const imports = [...text.matchAll(language === "python" ? PYTHON_IMPORT : NODE_IMPORT)];
  return imports.flatMap(({ groups = {} }): [string, string][] => {
    const { from = "", names = "" } = groups;
    if (names.trim() === "*") return [[from, name]];
    const found = names.split(",").map((each) => /^[\s{(]*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?[\s})]*$/.exec(each));
    return found.flatMap((each): [string, string][] => (each && (each[2] ?? each[1]) === name ? [[from, each[1] ?? name]] : []));
  });
}

/** Imports from other files of the project: `from .x import y`, `export { y } from './x.js'`. */
const PYTHON_IMPORT = /^[ \t]*from[ \t]+(?<from>\.[\w.]*)[ \t]+import[ \t]+(?<names>\([^)]*\)|[^\n#;]*)/gm;
const NODE_IMPORT = /\b(?:import|export)\s*(?<names>\*|\{[^{}]*\})\s*from\s*['"](?<from>\.[^'"]+)['"]/g;

/** Returns the files to which a relative import leads. */
function filesOf(from: string, file: string, language: Language): string[] {
  const [dots = ""] = /^\.+/.exec(from) ?? [];
  const named = language === "python" ? `${"../".repeat(dots.length - 1)}./${from.slice(dots.length).replaceAll(".", "/")}` : from;
  const place = path.resolve(path.dirname(file), named);
  const plain = language === "node" ? place.replace(/\.[cm]?js$/, "") : place; // the file may be in TypeScript
  return [place, plain]
    .flatMap((each) => ENDINGS[language].map((ending) => path.resolve(each + ending)))
    .filter((each) => pathKind(each) === "file");
}
