import { builtinModules } from "node:module";
import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { NamedPath } from "../programs/program-types.ts";
import { FS, javascript, LEADING, PYTHON_MEMBERS, PATH, python, type Language } from "../tables/harmless-identifiers.ts";
import { literal } from "../words/word.ts";
import { endsValue, startsValue, tokensOf, type Token } from "./code-tokens.ts";

/** The files that code reads. `imports`: Python modules that it loads, and JSON files that it requires. */
export type ReadingCode = { paths: NamedPath[]; imports: string[] };

/** The names that the code gives to modules and to what it takes from them. `globs`: patterns of the files that it looks for. */
type Scope = ReadingCode & {
  isScript: boolean;
  language: Language;
  modules: Map<string, string>;
  taken: Map<string, string>;
  globs: string[];
  members: Set<string>;
};

/**
 * Returns what code in JavaScript or Python reads. Undefined unless the code certainly only computes, reads files that it names, and
 * prints. The code may use the names in `harmless-identifiers.ts` and names of its own. A name of its own holds only what the code computes.
 */
export function readingCode(language: "javascript" | "python", code: string): ReadingCode | undefined {
  const isScript = language === "javascript";
  const tokens = tokensOf(isScript, code);
  if (!tokens || (isScript && LEADING.test(code))) return undefined;
  const scope: Scope = {
    isScript,
    language: isScript ? javascript : python,
    modules: new Map(),
    taken: new Map(),
    paths: [],
    imports: [],
    globs: [],
    members: new Set(),
  };
  const rest = isScript ? withoutRequires(tokens, scope) : withoutImports(tokens, scope);
  if (!rest?.every((token, i) => isReading(token, i, rest, scope))) return undefined;
  return isScript || isOnlyPath(rest, scope) ? { paths: scope.paths, imports: scope.imports } : undefined;
}

/** True unless code with `Path` uses `/`, `replace` or `copy`. `/` joins paths, and the two methods of a path change files. */
const isOnlyPath = (tokens: readonly Token[], { taken, modules, members }: Scope): boolean =>
  !([...taken.values()].includes("Path") || [...modules.values()].includes("pathlib")) ||
  !(tokens.some(({ text }) => text === "/") || members.has("replace") || members.has("copy"));

/** Removes `import json, re as r` and `from pathlib import Path` from the code, and records the names. */
function withoutImports(tokens: readonly Token[], { language, modules, taken, imports }: Scope): Token[] | undefined {
  const rest: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { text = "" } = tokens[i] ?? {};
    const isMember = tokens[i - 1]?.text === ".";
    if (isMember || (text !== "import" && text !== "from")) {
      if (tokens[i]) rest.push(tokens[i] as Token);
      continue;
    }
    const module = text === "from" ? tokens[i + 1]?.text : undefined;
    if (module !== undefined && tokens[i + 2]?.text !== "import") return undefined;
    i += module === undefined ? 0 : 2;
    do {
      const name = tokens[++i]?.text ?? "";
      const known = language.roots.get(module ?? name);
      if (!known || (module !== undefined && !known.has(name)) || tokens[i + 1]?.text === ".") return undefined;
      const isRenamed = tokens[i + 1]?.text === "as";
      if (isRenamed) i += 2;
      (module === undefined ? modules : taken).set(tokens[i]?.text ?? "", name);
      imports.push(module ?? name);
    } while (tokens[++i]?.text === ",");
    i--;
  }
  return rest;
}

/** Removes `const fs = require("fs")`, `import { readFileSync } from "fs"` and required JSON files from the code, and records them. */
function withoutRequires(tokens: readonly Token[], scope: Scope): Token[] | undefined {
  const rest: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const [found, from, names] = bindingIn(lineOf(tokens.slice(i, i + 30)));
    const module = found > 0 ? MODULES.exec(from)?.[1] : undefined;
    if (module !== undefined) {
      if (!names.startsWith("{")) scope.modules.set(names, module);
      else
        for (const each of names.slice(1, -1).split(",")) {
          const [name = "", own = name] = each.trim().split(/ (?:as|:) /);
          if (module !== "fs" || !Object.hasOwn(FS, name)) return undefined;
          scope.taken.set(own, name);
        }
      i += found - 1;
      continue;
    }
    const [call, , text, end] = tokens.slice(i, i + 4);
    const isRequired = call?.text === "require" && end?.text === ")";
    const isFile = isRequired && /^(\.{0,2}\/).*\.json$/.test(text?.value ?? "");
    if (isFile && text?.value !== undefined && tokens[i - 1]?.text !== ".") {
      scope.paths.push({ word: literal(text.value), use: "reads" });
      scope.imports.push(text.value);
      rest.push({ ...text, isGlued: false });
      i += 3;
    } else if (isRequired && MODULES.exec(text?.value ?? "")?.[1] === "fs" && tokens[i + 4]?.text === ".") {
      scope.modules.set("require", "fs");
      rest.push(call);
      i += 3;
    } else if (tokens[i]) rest.push(tokens[i] as Token);
  }
  return rest;
}

/** Returns tokens as one text, with all strings in double quotes. */
const lineOf = (tokens: readonly Token[]): string =>
  tokens.map(({ text, value }) => (value === undefined ? text : JSON.stringify(value))).join(" ");

const MODULES = /^(?:node:)?(fs|path)$/;
const BINDING =
  /^(?:(?:const|let|var) ([\w$]+|\{[^"{}]*\}) = require \( "([^"]*)" \)(?= ;|$| (?:const|let|var|for|if|console)\b)|import (?:\* as )?([\w$]+|\{[^"{}]*\}) from "([^"]*)")/;

/** Returns how many tokens bind names to a module, which module that is, and the names. */
function bindingIn(line: string): [length: number, module: string, names: string] {
  const [whole = "", names = "", module = "", imported = "", from = ""] = BINDING.exec(line) ?? [];
  return [whole === "" ? 0 : whole.split(" ").length, module || from, names || imported];
}

function isReading(token: Token, i: number, tokens: readonly Token[], scope: Scope): boolean {
  const [before, after] = [tokens[i - 1], tokens[i + 1]];
  switch (token.kind) {
    case "name":
      return isKnownName(token.text, i, tokens, scope);
    case "number":
      return !token.text.includes("__");
    case "text": {
      // Directly after a name, a string may be of a kind that the gate does not know.
      if (token.isGlued && before?.kind === "name" && !(scope.isScript && token.text.startsWith("`"))) return false;
      const isKey = scope.isScript && after?.text === ":" && /^[{,]$/.test(before?.text ?? "");
      return (!isKey || token.value !== undefined) && token.parts.every((part) => isReadingPart(part, scope));
    }
    case "pattern":
      return true;
    case "sign":
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
  if (name.includes("__")) return false;
  if (before?.text === ".") return isKnownMember(name, i, tokens, scope);
  if (isScript && /^(of|let)$/.test(name) && !startsValue(after)) return false; // it may be a variable of that name
  if (isScript && after?.text === ":" && /^[{,]$/.test(before?.text ?? "")) return true; // the name of a property
  const own = taken.get(name);
  if (own === "Path") return readsPath(i, tokens, scope);
  if (own !== undefined && isScript) return readsFile(own, i, tokens, scope);
  if (modules.has(name) || (isScript && language.roots.has(name))) return after?.text === ".";
  if (!isScript && name === "open") return opensFile(i, tokens, scope);
  if (!isScript && name === "file" && !/^(in|,|\)|\.|=|:)$/.test(after?.text ?? ")")) return false; // it opens a file in Python 2
  if (language.names.has(name)) return true;
  return !language.banned.has(name) && !(isScript && (name in globalThis || builtinModules.includes(name)));
}

function isKnownMember(name: string, i: number, tokens: readonly Token[], scope: Scope): boolean {
  const { language, modules, isScript, members, globs } = scope;
  const owner = tokens[i - 3]?.text === "." ? undefined : tokens[i - 2];
  const module = owner?.kind === "name" ? modules.get(owner.text) : undefined;
  members.add(name);
  if (isScript) {
    if (module === "fs") return Object.hasOwn(FS, name) && readsFile(name, i, tokens, scope);
    const root = module === "path" ? PATH : language.roots.get(owner?.text ?? "");
    return root?.has(name) !== false;
  }
  if (module !== undefined) return language.roots.get(module)?.has(name) === true && (name !== "Path" || readsPath(i, tokens, scope));
  if (name !== "rglob" && name !== "glob") return PYTHON_MEMBERS.has(name);
  const { value } = tokens[i + 2] ?? {};
  if (tokens[i + 1]?.text !== "(" || tokens[i + 3]?.text !== ")" || value === undefined || /(^|\/)\.\.(\/|$)|^\/|\[/.test(value))
    return false;
  globs.push(path.posix.basename(path.posix.normalize(value)));
  return true;
}

/** Records `Path("src")`. The code may read everything below it that matches the patterns of the code. */
function readsPath(i: number, tokens: readonly Token[], { paths, globs, members }: Scope): boolean {
  const [open, first, close] = tokens.slice(i + 1, i + 4);
  const isHere = first?.text === ")";
  if (open?.text !== "(" || (!isHere && (first?.value === undefined || close?.text !== ")"))) return false;
  const leavesOut = () => (name: string) => !members.has("iterdir") && !globs.some((glob) => matchesWildcard(glob, name));
  paths.push({ word: literal(isHere ? "." : (first?.value ?? ".")), use: "searches", search: { follows: true, leavesOut } });
  return true;
}

/** Records `open("a.json", encoding="utf-8")`. False unless it opens the file only to read. */
function opensFile(i: number, tokens: readonly Token[], { paths }: Scope): boolean {
  const text = lineOf(tokens.slice(i + 1, i + 14));
  const file = tokens[i + 2]?.value;
  const isPlain = /^\( "[^"]*" (, ("r[bt]?"|(mode = "r[bt]?"|(encoding|errors|newline) = "[^"]*")) )*\)/.test(text);
  if (file === undefined || !isPlain) return false;
  paths.push({ word: literal(file), use: "reads" });
  return true;
}

/** Records `fs.readFileSync("a.json", "utf8")`. False for an object in place of `"utf8"`, which could make the function write. */
function readsFile(name: string, i: number, tokens: readonly Token[], { paths }: Scope): boolean {
  const [open, first, comma, second, close] = tokens.slice(i + 1, i + 6);
  const isInput = first?.text === "0";
  if (open?.text !== "(" || (first?.value === undefined && !isInput)) return false;
  const isPlain = comma?.text === ")" || (comma?.text === "," && second?.value !== undefined && close?.text === ")");
  if (!isPlain) return false;
  paths.push({ word: literal(isInput ? "/dev/stdin" : (first?.value ?? "")), use: FS[name] ?? "reads" });
  return true;
}

/** True if a bracket begins a list, or selects an element by a number or a literal name. A computed name could be any name. */
function isPlainIndex(i: number, tokens: readonly Token[]): boolean {
  const [before, first, close] = [tokens[i - 1], tokens[i + 1], tokens[i + 2]];
  if (endsValue(tokens, i - 1) || before?.text === ".")
    return close?.text === "]" && (first?.kind === "number" || first?.value !== undefined);
  return !/^[{,]$/.test(before?.text ?? "") || !isKey(i, tokens);
}

/** True if these brackets end before a colon, so that they hold the computed name of a property. */
function isKey(i: number, tokens: readonly Token[]): boolean {
  let depth = 0;
  for (let at = i; at < tokens.length; at++) {
    if (tokens[at]?.text === "[") depth++;
    if (tokens[at]?.text === "]" && --depth === 0) return tokens[at + 1]?.text === ":";
  }
  return false;
}
