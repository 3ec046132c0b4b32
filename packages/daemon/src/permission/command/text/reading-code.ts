import { builtinModules } from "node:module";
import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { NamedPath } from "../programs/program-types.ts";
import {
  FILE_FUNCTIONS,
  javascript,
  LEADING,
  PYTHON_MEMBERS,
  python,
  STANDARD_MODULES,
  type Language,
} from "../tables/harmless-identifiers.ts";
import { literal } from "../words/word.ts";
import { endsValue, startsValue, tokensOf, type Token } from "./code-tokens.ts";

/** The files that code reads or writes. `imports`: Python modules that it loads, and JSON files that it requires. */
export type ReadingCode = { paths: NamedPath[]; imports: string[] };

/** The names that the code gives to modules and to what it takes from them. `globs`: patterns of files. */
type Scope = ReadingCode & {
  isScript: boolean;
  language: Language;
  modules: Map<string, string>;
  taken: Map<string, string>;
  globs: string[];
  members: Set<string>;
};

/**
 * Returns what code in JavaScript or Python reads and writes. Undefined unless the code certainly only computes, prints, and reads and writes files
 * that it names. The code may use the names in `harmless-identifiers.ts` and names of its own. A name of its own holds only what the code computes.
 */
export function readingCode(language: "javascript" | "python", code: string): ReadingCode | undefined {
  const isScript = language === "javascript";
  const tokens = tokensOf(isScript, code);
  if (!tokens || (isScript && LEADING.test(code))) return undefined;
  const nothing = { modules: new Map(), taken: new Map(), members: new Set<string>(), paths: [], imports: [], globs: [] };
  const scope: Scope = { isScript, language: isScript ? javascript : python, ...nothing };
  const named = withoutImports(tokens, scope);
  const rest = named && isScript ? withoutRequires(named, scope) : named;
  if (!rest?.every((token, i) => isReading(token, i, rest, scope))) return undefined;
  const paths = writesPaths(scope) ? editedPaths(scope) : scope.paths;
  const isPlain = isScript || (isOnlyPath(scope) && !paths?.some(replacesModule));
  return paths && isPlain ? { paths, imports: scope.imports } : undefined;
}

const writesPaths = ({ members }: Scope): boolean => members.has("write_text") || members.has("write_bytes");

/** Returns the paths of code that writes to a `Path`. Undefined if that may be a file which it has found. */
const editedPaths = ({ paths, globs, members }: Scope): NamedPath[] | undefined =>
  globs.length > 0 || members.has("iterdir") || !paths.some(({ use }) => use === "searches")
    ? undefined
    : paths.flatMap(({ word, use }) =>
        use === "searches"
          ? [
              { word, use: "reads" as const },
              { word, use: "writes" as const },
            ]
          : { word, use },
      );

/** True for an edit of a file that Python may load in the place of a module of its own. Only the folder of the code is in its path. */
function replacesModule({ word: { text }, use }: NamedPath): boolean {
  const parts = path.posix.normalize(text).split("/");
  const names = /^(\/|\.\.)/.test(parts.join("/")) ? parts : parts.slice(0, 1);
  return (
    use === "writes" && names.map((name) => name.replace(/\..*/, "")).some((name) => STANDARD_MODULES.has(name) || name.startsWith("_"))
  );
}

/** True unless code with `Path` uses `/`, `replace` or `copy`. `/` joins paths, and the two methods of a path change files. */
const isOnlyPath = ({ taken, modules, members }: Scope): boolean =>
  !([...taken.values()].includes("pathlib.Path") || [...modules.values()].includes("pathlib")) ||
  !["/", "replace", "copy"].some((member) => members.has(member));

/** Removes what gives names to modules and their members from the code, such as `import json, re as r`, and records the names. */
function withoutImports(tokens: readonly Token[], { isScript, language, modules, taken, imports }: Scope): Token[] | undefined {
  const { roots } = language;
  const rest: Token[] = [];
  let end = 0;
  for (const [i, token] of tokens.entries()) {
    if (i < end) continue;
    const mayBind = /^(import|from|const|let|var)$/.test(token.text) && tokens[i - 1]?.text !== ".";
    const found = mayBind ? (isScript ? REQUIRE : IMPORT).exec(lineOf(tokens.slice(i))) : null;
    if (!found) {
      rest.push(token);
      continue;
    }
    end = i + found[0].split(" ").length;
    const { module, whole, names = "" } = found.groups ?? {};
    const from = whole === undefined ? module?.replace(" . ", ".") : undefined;
    for (const each of whole === undefined ? names.split(" , ") : [`${module} as ${whole}`]) {
      const [name = "", own] = each.replaceAll(" . ", ".").split(/ (?:as|:) /);
      if (!(from === undefined ? roots : roots.get(from))?.has(name)) return undefined;
      const outer = name.replace(/\..*/, ""); // `import os.path` sets the name `os`
      const given = from === undefined ? (own === undefined ? outer : name) : `${from}.${name}`;
      const called = own ?? outer;
      if ((modules.get(called) ?? taken.get(called) ?? given) !== given || (isScript && language.names.has(called))) return undefined;
      (roots.has(given) ? modules : taken).set(called, given);
      if (!isScript) imports.push((from ?? name).replace(/\..*/, ""));
    }
  }
  return rest;
}

/** Replaces `require("./a.json")` by the name of the file, and `require("fs")` by one token, and records both. */
function withoutRequires(tokens: readonly Token[], { modules, paths, imports }: Scope): Token[] {
  const rest: Token[] = [];
  let end = 0;
  for (const [i, token] of tokens.entries()) {
    if (i < end) continue;
    const [, , text, close, sign] = tokens.slice(i, i + 5);
    const isRequired = token.text === "require" && close?.text === ")" && tokens[i - 1]?.text !== ".";
    const [, module] = (isRequired && sign?.text === "." && /^(?:node:)?(fs|path|os|crypto)$/.exec(text?.value ?? "")) || [];
    end = i + 4;
    if (isRequired && text?.value !== undefined && /^\.{0,2}\/.*\.json$/.test(text.value)) {
      paths.push({ word: literal(text.value), use: "reads" });
      imports.push(text.value);
      rest.push({ ...text, isGlued: false });
    } else if (module !== undefined) {
      modules.set(`require ${module}`, module);
      rest.push({ ...token, text: `require ${module}` });
    } else {
      rest.push(token);
      end = i + 1;
    }
  }
  return rest;
}

/** Returns tokens as one text, with all strings in double quotes. */
const lineOf = (tokens: readonly Token[]): string =>
  tokens.map(({ text, value }) => (value === undefined ? text : JSON.stringify(value))).join(" ");

const listOf = (item: string) => String.raw`${item}(?: , ${item})*`;
const NAME = String.raw`\w+(?: \. \w+)?`;
const IMPORT = new RegExp(String.raw`^(?:from (?<module>${NAME}) )?import (?<names>${listOf(String.raw`${NAME}(?: as \w+)?`)})`);
const NAMES = String.raw`(?:(?<whole>[\w$]+)|\{ (?<names>${listOf(String.raw`[\w$]+(?: (?::|as) [\w$]+)?`)}) \})`;
const MODULE = String.raw`"(?:node:)?(?<module>fs|path|os|crypto)"`;
const REQUIRE = new RegExp(
  String.raw`^(?:(?:const|let|var) ${NAMES} = require \( ${MODULE} \)(?= ;|$| (?:const|let|var|for|if|console)\b)|import (?:\* as )?${NAMES} from ${MODULE})`,
);

function isReading(token: Token, i: number, tokens: readonly Token[], scope: Scope): boolean {
  const [before, after] = [tokens[i - 1], tokens[i + 1]];
  switch (token.kind) {
    case "name":
      return isKnownName(token.text, i, tokens, scope);
    case "number":
      return !token.text.includes("__");
    case "text": {
      // Directly after a name, a string may be of a kind that the gate does not know. Behind a value, a template is a call.
      const isTemplate = scope.isScript && token.text.startsWith("`");
      if (isTemplate ? i > 0 && endsValue(tokens, i - 1) : token.isGlued && before?.kind === "name") return false;
      const isKey = scope.isScript && after?.text === ":" && /^[{,]$/.test(before?.text ?? "");
      return (!isKey || token.value !== undefined) && token.parts.every((part) => isReadingPart(part, scope));
    }
    case "pattern":
      return true;
    case "sign":
      if (token.text === "/") scope.members.add("/");
      return !(scope.isScript && token.text === "[") || isPlainIndex(i, tokens);
  }
}

function isReadingPart(code: string, scope: Scope): boolean {
  const tokens = tokensOf(scope.isScript, code);
  return tokens?.every((token, i) => isReading(token, i, tokens, scope)) === true;
}

function isKnownName(name: string, i: number, tokens: readonly Token[], scope: Scope): boolean {
  const { language, modules, taken, isScript } = scope;
  const [before, after] = [tokens[i - 1], tokens[i + 1]];
  if (!isScript && (name === "type" || name === "__name__"))
    return TYPE_NAME.test(lineOf(tokens.slice(Math.max(i - (name === "type" ? 0 : 5), 0), i + 6)));
  if (name.includes("__")) return false;
  if (before?.text === ".") return isKnownMember(name, i, tokens, scope);
  if (isScript && TYPES.test(name) && after?.kind === "name") return false; // Node removes what only TypeScript knows
  if (isScript && ((name === "of" && !isInLoop(i, tokens)) || (name === "let" && !declares(i, tokens)))) return false;
  if (isScript && after?.text === ":" && /^[{,]$/.test(before?.text ?? "")) return true; // the name of a property
  const own = taken.get(name);
  if (own?.startsWith("fs.")) return readsFile(own.slice(3), i, tokens, scope);
  if (own !== undefined && !isScript) return !language.banned.has(name) && isKnownFunction(own, i, tokens, scope);
  if (modules.has(name) || (isScript && language.roots.has(name))) return after?.text === ".";
  if (!isScript && name === "open") return opensFile(i, tokens, scope);
  if (!isScript && name === "file" && !/^(in|,|\)|\.|=|:)$/.test(after?.text ?? ")")) return false; // it opens a file in Python 2
  if (language.names.has(name)) return true;
  return !language.banned.has(name) && !(isScript && (name in globalThis || builtinModules.includes(name)));
}

/** True for `of` in the head of a loop. Elsewhere it may be a variable or a type. */
function isInLoop(i: number, tokens: readonly Token[]): boolean {
  const open = opening(i, tokens);
  const [loop, sign, declaration] = tokens.slice(Math.max(open - 1, 0), open + 2).map(({ text }) => text);
  const isHead = loop === "for" && sign === "(" && /^(const|let|var)$/.test(declaration ?? "");
  return isHead && (i === open + 3 || /^[\]}]$/.test(tokens[i - 1]?.text ?? "")) && startsValue(tokens[i + 1]);
}

/** True for `let` in front of a declaration. Elsewhere it may be a variable or a type, also at the end of a line. */
function declares(i: number, tokens: readonly Token[]): boolean {
  const [before, after] = [tokens[i - 1], tokens[i + 1]];
  const isFirst = before === undefined || /^[;{}]$/.test(before.text) || (before.text === "(" && tokens[i - 2]?.text === "for");
  if (after?.text === "[") return isFirst;
  const isBehindValue =
    before !== undefined && endsValue(tokens, i - 1) && !/^(\+\+|--)$/.test(before.text) && !javascript.names.has(before.text);
  return (isFirst || isBehindValue) && startsValue(after) && !javascript.names.has(after?.text ?? "");
}

/** The name of the type of a value. */
const TYPE_NAME = /^type \( \w+ \) \. __name__(?! [=.])/;

const TYPES =
  /^(type|interface|declare|namespace|module|abstract|enum|implements|public|private|protected|readonly|override|accessor|is|asserts|keyof|infer|unique)$/;

/** Returns the module that the code names here, such as `os` or `os.path`. */
function moduleAt(i: number, tokens: readonly Token[], scope: Scope): string | undefined {
  const { kind, text = "" } = tokens[i] ?? {};
  if (tokens[i - 1]?.text !== ".") return kind === "name" ? scope.modules.get(text) : undefined;
  const whole = `${moduleAt(i - 2, tokens, scope)}.${text}`;
  return !scope.isScript && scope.language.roots.has(whole) ? whole : undefined;
}

/** True for a function or a value of a Python module. A module itself may only stand in front of its members. */
function isKnownFunction(name: string, i: number, tokens: readonly Token[], scope: Scope): boolean {
  if (scope.language.roots.has(name)) return tokens[i + 1]?.text === ".";
  if (name === "pathlib.Path") return readsPath(i, tokens, scope);
  if (tokens[i - 1]?.text === "." && !CONSTANT.test(name) && !/^[(.]$/.test(tokens[i + 1]?.text ?? "") && !isArgument(i, tokens))
    return false;
  if (!FILE_FUNCTIONS.has(name)) return !name.startsWith("os.") || tokens[i + 1]?.text === "("; // `os.walk` calls `os.path.join`
  const [open, first, close] = tokens.slice(i + 1, i + 4);
  if (first?.value === undefined) return false;
  scope.paths.push({ word: literal(first.value), use: name.startsWith("os.") ? "names" : "reads" });
  return open?.text === "(" && close?.text === ")";
}

/** Members of Python modules that are no functions. */
const CONSTANT =
  /\.(pi|e|inf|nan|version|version_info|platform|executable|maxsize|byteorder|stdin|stdout|argv|[ISM]|IGNORECASE|MULTILINE|DOTALL|ascii_\w+|digits|punctuation|NAMESPACE_\w+|ROUND_\w+|TkVersion|path|parse)$/;

/**
 * True if a member of a Python module is an argument of a call, perhaps within a tuple at its end: `isinstance(n, (ast.Call, ast.Name))`. With another
 * `re.compile`, a pattern of files would match other names, so the code must not set it.
 */
function isArgument(i: number, tokens: readonly Token[]): boolean {
  const start = tokens.findLastIndex(({ kind, text }, at) => at < i && kind !== "name" && text !== ".");
  const isWhole =
    /^[(,=]$/.test(tokens[start]?.text ?? "") && tokens.slice(start + 1, i + 1).filter(({ kind }) => kind === "name").length < 4;
  const list = opening(i, tokens);
  const isTuple = tokens[list - 1]?.text === "," && tokens[closing(list, tokens) + 1]?.text === ")";
  const call = isTuple ? opening(list, tokens) : list;
  const caller = tokens[call - 1];
  const isCall = tokens[list]?.text === "(" && tokens[call]?.text === "(" && caller?.kind === "name" && !KEYWORD.test(caller.text);
  // In another line than the name, brackets are the target of an assignment.
  if (tokens[call]?.isGlued !== true || tokens[closing(call, tokens) + 1]?.text === "=") return false;
  const inside = tokens.slice(call, closing(call, tokens));
  return isWhole && isCall && /^[,)]$/.test(tokens[i + 1]?.text ?? "") && !inside.some(({ text }) => text === "for");
}

const KEYWORD = /^(for|in|if|elif|else|is|not|and|or|while|return|lambda|with|as|except|assert|raise)$/;

/** True if code only calls a member of a module or passes it on. If it took the place of `path.resolve`, `require` would load another file. */
const isUsed = (i: number, tokens: readonly Token[]): boolean =>
  /^[(.]$/.test(tokens[i + 1]?.text ?? "") ||
  (tokens[i + 1]?.text === ")" && tokens[i - 3]?.text === "(" && tokens[i - 4]?.kind === "name" && tokens[i - 5]?.text === ".") ||
  (/^(PI|E|sep|EOL|versions?|platform|arch|pid)$/.test(tokens[i]?.text ?? "") && tokens[i + 1]?.text !== "=");

/** A variable of the environment behind `process.env`, with the beginning of a plain value if there is one. */
const VARIABLE = /^\. \w+\b(?! = (?!"\w[\w/+-]*"))/;

function isKnownMember(name: string, i: number, tokens: readonly Token[], scope: Scope): boolean {
  const { language, isScript, members, globs } = scope;
  const owner = tokens[i - 3]?.text === "." ? undefined : tokens[i - 2];
  const module = moduleAt(i - 2, tokens, scope);
  if (name !== "replace" || !hasTwoArguments(i + 1, tokens)) members.add(name);
  if (isScript) {
    const object = module ?? owner?.text ?? "";
    const root = language.roots.get(object);
    if (!root?.has(name)) return !root;
    if (object === "fs") return readsFile(name, i, tokens, scope);
    return name === "env" ? VARIABLE.test(lineOf(tokens.slice(i + 1, i + 5))) : isUsed(i, tokens);
  }
  if (module !== undefined) return language.roots.get(module)?.has(name) === true && isKnownFunction(`${module}.${name}`, i, tokens, scope);
  if (name !== "rglob" && name !== "glob") return PYTHON_MEMBERS.has(name);
  const { value } = tokens[i + 2] ?? {};
  if (tokens[i + 1]?.text !== "(" || tokens[i + 3]?.text !== ")" || value === undefined || /(^|\/)\.\.(\/|$)|^\/|\[/.test(value))
    return false;
  globs.push(path.posix.basename(path.posix.normalize(value)));
  return true;
}

/** True for a call whose first argument is a text or a name, and that has another one. A path has a method `replace` with one, and a text with two. */
function hasTwoArguments(at: number, tokens: readonly Token[]): boolean {
  const [open, first, comma, second] = tokens.slice(at, at + 4);
  const isPlain = open?.text === "(" && comma?.text === "," && (first?.kind === "text" || first?.kind === "name");
  return isPlain && second !== undefined && !/^(\*\*?|\))$/.test(second.text);
}

/** Records `Path("src")`. The code may read everything below it that matches the patterns of the code. */
function readsPath(i: number, tokens: readonly Token[], scope: Scope): boolean {
  const { paths, globs, members } = scope;
  const [open, first, close] = tokens.slice(i + 1, i + 4);
  const isHere = first?.text === ")";
  const file = isHere ? "." : first?.value;
  if (open?.text !== "(" || file === undefined || (!isHere && close?.text !== ")")) return false;
  const leavesOut = () => (name: string) => !members.has("iterdir") && !globs.some((glob) => matchesWildcard(glob, name));
  paths.push({ word: literal(file), use: "searches", search: { follows: true, leavesOut } });
  return true;
}

/** Records `open("a.json", "w", encoding="utf-8")`. False if the mode or another argument is not plain. */
function opensFile(i: number, tokens: readonly Token[], scope: Scope): boolean {
  const text = lineOf(tokens.slice(i + 1, closing(i + 1, tokens) + 1));
  const file = tokens[i + 2]?.value;
  const isPlain = /^\( "[^"\\]*" (, ("[rwax][bt+]{0,2}"|(mode = "[rwax][bt+]{0,2}"|(encoding|errors|newline) = "[^"\\]*")) )*\)$/.test(
    text,
  );
  const [, mode = "r"] = /(?:^\( "[^"\\]*" , | mode = )"(\w\W*\w?\W*)"/.exec(text) ?? [];
  if (file === undefined || !isPlain) return false;
  if (/[r+]/.test(mode)) scope.paths.push({ word: literal(file), use: "reads" });
  if (/[wax+]/.test(mode)) scope.paths.push({ word: literal(file), use: "writes" });
  return true;
}

/**
 * Records `fs.readFileSync("a.json", "utf8")` and `fs.writeFileSync("a.json", text)`. False for an object in place of `"utf8"`, which could make the
 * first function write.
 */
function readsFile(name: string, i: number, tokens: readonly Token[], { paths }: Scope): boolean {
  const isWrite = /^(write|append)/.test(name);
  const isPlain = (isWrite ? /^\( "[^"\\]+" ,/ : /^\( ("[^"\\]*"|0) (, "[^"\\]*" )?\)/).test(lineOf(tokens.slice(i + 1, i + 6)));
  const file = tokens[i + 2]?.value ?? "/dev/stdin";
  if (/^\w+:/.test(file)) return false; // it may be an address to Node
  if (isPlain) paths.push({ word: literal(file), use: isWrite ? "writes" : name === "readFileSync" ? "reads" : "names" });
  return isPlain;
}

/** True if a bracket begins a list, or selects an element by a number or a literal name. A computed name could be any name. */
function isPlainIndex(i: number, tokens: readonly Token[]): boolean {
  const [before, first, close] = [tokens[i - 1], tokens[i + 1], tokens[i + 2]];
  if (endsValue(tokens, i - 1) || before?.text === ".")
    return (close?.text === "]" && (first?.kind === "number" || first?.value !== undefined)) || isOwnEntry(i, tokens);
  return !/^[{,]$/.test(before?.text ?? "") || !isKey(i, tokens);
}

/**
 * True for an entry of an object of the code that is only printed, compared, counted or set: `console.log(a[k])`, `n[k] = (n[k] || 0) + 1`.
 * The value may be a function such as `constructor`, so the code must not keep it, call it or pass it on.
 */
function isOwnEntry(i: number, tokens: readonly Token[]): boolean {
  const [object, before] = [tokens[i - 1], tokens[i - 2]?.text];
  if (object?.kind !== "name" || javascript.names.has(object.text) || before === "new") return false;
  const end = closing(i, tokens);
  const after = `${lineOf(tokens.slice(end + 1, end + 6))} `;
  const isAlone = before === undefined || before === ";";
  if (before === "." || /^(=|[-+] =|\+\+|--) /.test(after)) return before !== ".";
  if (COMPARES.test(after) || (COMPARES.test(`${before} `) && /^([,);]|&&|\|\|) /.test(after))) return true;
  if (isAlone) return tokens[end + 1] === undefined;
  if (before === "(" && tokens[i - 3]?.text === "=") return /^(\?\?|\|\|) \d+ \) [-+] /.test(after);
  const open = opening(i, tokens);
  const isConsole = lineOf(tokens.slice(Math.max(open - 3, 0), open + 1)).startsWith("console . ") && tokens[open - 4]?.text !== ".";
  const isPrinted = isConsole && tokens[open]?.text === "(";
  return isPrinted && /^[(,]$/.test(before ?? "") && /^[,)] /.test(after);
}

const COMPARES = /^[=!]==? /;

/** Returns the place of the sign that opens the brackets around a token. */
function opening(i: number, tokens: readonly Token[]): number {
  let depth = 0;
  return tokens.findLastIndex(({ text }, at) => at < i && (depth += /^[)\]}]$/.test(text) ? 1 : /^[([{]$/.test(text) ? -1 : 0) < 0);
}

/** Returns the place of the sign that closes these brackets. */
function closing(open: number, tokens: readonly Token[]): number {
  let depth = 0;
  return tokens.findIndex(
    (token, at) => at >= open && (depth += /^[([{]$/.test(token.text) ? 1 : /^[)\]}]$/.test(token.text) ? -1 : 0) === 0,
  );
}

/** True if these brackets end before a colon, so that they hold the computed name of a property. */
function isKey(i: number, tokens: readonly Token[]): boolean {
  const end = closing(i, tokens);
  return end >= 0 && tokens[end + 1]?.text === ":";
}
