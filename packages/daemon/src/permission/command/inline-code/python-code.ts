import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { parser } from "@lezer/python";
import type { SyntaxNode } from "@lezer/common";
import type { FilesOfCode, PathUse } from "../programs/program-types.ts";
import {
  PYTHON_BANNED,
  PYTHON_FILES,
  PYTHON_MEMBERS,
  PYTHON_NAMES,
  PYTHON_ROOTS,
  STANDARD_MODULES,
} from "../tables/harmless-identifiers.ts";
import { literal } from "../words/word.ts";
import { accessesOf, ANY_NAME, fileAccess, MAX_VISITS, usesMoved } from "./known-values.ts";
import { refuse } from "./unknown-code.ts";
import { type Argument, BINDING, type Part, type Scope, argumentsOf, importOf, memberOf, targetsOf } from "./python-scope.ts";
import { sourcesOf, usesOf } from "./python-sources.ts";
import { isCurrentFolder, isFound, pathsOf, pathsOfVariable, textOf, valuesOf } from "./python-values.ts";

/**
 * Ends of lines and indents that Python has besides `\n` and blanks, and declarations of an encoding in which a comment may contain an end of line.
 */
export const STRANGE = /[\r\0\f]|^[ \t]*#[^\n]*coding[:=]/m;

/**
 * Returns the files that code in Python reads or writes. Undefined unless the code certainly only computes, prints, and uses files that it names.
 */
export function readPython(code: string, given: readonly string[] = []): FilesOfCode | undefined {
  if (STRANGE.test(code) || (code.includes("zipfile") && /write|file *=/.test(code))) return undefined; // an archive reads what it writes
  try {
    const script = partOf(parser.parse(code).topNode, code);
    const scope: Scope = {
      ...nothingKnown(),
      modules: new Map(),
      sources: sourcesOf(script),
      uses: usesOf(script),
      given: CHANGES_ARGUMENTS.test(code) ? undefined : given,
    };
    // A name may have its meaning further down, so the last visit knows all names from the start.
    for (let before = -1, visits = 0; before < scope.modules.size; visits += 1) {
      if (visits > MAX_VISITS) refuse();
      before = scope.modules.size;
      Object.assign(scope, nothingKnown());
      visit(script, scope);
    }
    return scope.paths.some(replacesModule) || usesMoved(scope.paths) ? undefined : { paths: scope.paths, imports: scope.imports };
  } catch {
    return undefined; // refused, or nested too deep
  }
}

/** A use of the arguments that may change them. */
const CHANGES_ARGUMENTS = /argv(?!\[(0|[1-9]\d*)\]|\[1:\])/;

const nothingKnown = () => ({ paths: [], imports: [], globs: [], values: new Map(), pathValues: new Map() });

/** Copies a node of the parser without comments. Refuses code with errors. */
export function partOf(node: SyntaxNode, code: string): Part {
  if (node.type.isError) refuse();
  const parts: Part[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== "Comment") parts.push(partOf(child, code));
  return { type: node.name, text: code.slice(node.from, node.to), parts, from: node.from };
}

/** True for an edit of a file that Python may load in the place of a module of its own. Only the folder of the code is in its path. */
function replacesModule({ word: { text }, use, from }: FilesOfCode["paths"][number]): boolean {
  if (from?.some((each) => replacesModule({ word: literal(path.posix.basename(each.text)), use: "writes", from: [] }))) return true; // the target may be a folder
  if (use === "writes" && /\.pth$|(site|dist)-packages|lib\/python/.test(text)) return true;
  const parts = path.posix.normalize(text).split("/");
  const names = /^(\/|\.\.)/.test(parts.join("/")) ? parts : parts.slice(0, 1);
  const isModule = names.map((name) => name.replace(/\..*/, "")).some((name) => STANDARD_MODULES.has(name) || name.startsWith("_"));
  return use === "writes" && isModule && (from !== undefined || /\.(py|pyc|so|pyd)$/.test(text)); // a folder may be a module
}

/** Parts that do nothing but what their own parts do. */
const NEUTRAL = new Set(
  `Script StatementGroup ExpressionStatement Body IfStatement WhileStatement ReturnStatement RaiseStatement AssertStatement PassStatement
  BreakStatement ContinueStatement YieldStatement YieldExpression UnaryExpression ConditionalExpression LambdaExpression ArrayExpression
  TupleExpression SetExpression DictionaryExpression ParenthesizedExpression ContinuedString FormatReplacement FormatSpec
  Number String Boolean None Ellipsis Escape CompareOp ArithOp BitOp FormatConversion FormatSelfDoc`.split(/\s+/),
);

function visit(part: Part, scope: Scope): void {
  const { type, parts } = part;
  if (NEUTRAL.has(type) || /^[^A-Z]/.test(type)) {
    if (/^(async|@|`)$/.test(type)) refuse();
    return visitAll(parts, scope);
  }
  if (BINDING.has(type)) return visitBinding(part, scope);
  switch (type) {
    case "VariableName":
      return visitName(part, scope);
    case "BinaryExpression":
      return visitOperation(part, scope);
    case "MemberExpression":
      return visitMember(part, scope);
    case "CallExpression":
      return visitCall(part, scope);
    case "ImportStatement":
      return visitImport(part, scope);
    case "FunctionDefinition":
      for (const each of parts) if (each.type === "VariableName") checkOwnName(each.text);
      return visitAll(
        parts.filter(({ type: each }) => each !== "VariableName"),
        scope,
      );
    case "FormatString":
      if (!ESCAPES.test(part.text)) refuse();
      return visitAll(parts, scope);
    case "ParamList":
      return visitParams(parts, scope);
    case "TypeDef":
      return visitAll(
        parts.filter(({ type: each, text }) => each !== "VariableName" || !scope.modules.has(text)),
        scope,
      );
    default:
      return refuse();
  }
}

/** F-strings with escapes that the parser takes as Python does. In front of a brace, a backslash is a character. */
const ESCAPES = /^([^\\]|\\[^{}N])*$/;

function visitAll(parts: readonly Part[], scope: Scope): void {
  for (const part of parts) visit(part, scope);
}

function visitName({ text }: Part, scope: Scope): void {
  const module = scope.modules.get(text);
  if (module !== undefined && isOnlyCalled(module)) refuse();
  const paths = pathsOfVariable(text, scope);
  if (paths) return recordPath(paths, scope);
  if (module === undefined && !PYTHON_NAMES.has(text)) checkOwnName(text);
  if (SHOWN_ERRORS.test(text)) refuse();
  // Python 2 has a function `file` that opens a file.
  if (text === "file" && !scope.sources.has(text)) refuse();
}

/** Errors for which Python loads a module or a file when it shows them. Code may only catch them. */
const SHOWN_ERRORS = /^(ImportError|ModuleNotFoundError|SyntaxError|IndentationError|TabError)$/;

/** True for a module, and for a function that uses the file that its argument names. They may not get another name. */
const isOnlyCalled = (name: string): boolean =>
  PYTHON_ROOTS.has(name) || /^(pathlib\.Path|glob\.glob|io\.open|ast\.parse)$/.test(name) || PYTHON_FILES.has(name);

/** Refuses a name that has a meaning of its own in some version of Python. */
function checkOwnName(name: string): void {
  const isTrusted = /^(sorted|len|float|int|round)$/.test(name); // the gate relies on what these do
  if (!/^[A-Za-z_]\w*$/.test(name) || name.includes("__") || PYTHON_BANNED.has(name) || isTrusted) refuse();
}

function visitParams(parts: readonly Part[], scope: Scope): void {
  for (const [i, part] of parts.entries()) {
    // This is the name of a parameter. A value follows `=`.
    if (part.type === "VariableName" && parts[i - 1]?.type !== "AssignOp") checkOwnName(part.text);
    else if (part.type !== "AssignOp") visit(part, scope);
  }
}

function visitBinding(part: Part, scope: Scope): void {
  const { targets, rest } = targetsOf(part);
  for (const target of targets) visitTarget(target, scope);
  if (usesPaths(scope) && part.parts.some(({ text }) => text === "/=")) refuse();
  if (part.type === "TryStatement") return visitAll(rest.flatMap(withoutErrors), scope);
  const isPath = part.type === "AssignStatement" && pathsOfVariable(targets[0]?.text ?? "", scope) !== undefined;
  visitAll(isPath ? rest.filter(({ type }) => type === "TypeDef") : rest, scope); // the code uses the path where it uses the name
}

/** Returns what `except` catches without such errors. */
const withoutErrors = (part: Part): Part[] =>
  part.type === "TupleExpression"
    ? part.parts.flatMap(withoutErrors)
    : part.type === "VariableName" && SHOWN_ERRORS.test(part.text)
      ? []
      : [part];

/** Visits what gets a value. An attribute could belong to a module: `re.compile = f`. */
function visitTarget(part: Part, scope: Scope): void {
  switch (part.type) {
    case "VariableName":
      return scope.modules.has(part.text) ? refuse() : checkOwnName(part.text);
    case "TupleExpression":
    case "ArrayExpression":
    case "ParenthesizedExpression":
      for (const each of part.parts) visitTarget(each, scope);
      return;
    case "MemberExpression":
      return part.parts.at(-1)?.type === "]" && memberOf(part.parts[0] ?? part, scope) === undefined
        ? visitAll(part.parts, scope)
        : refuse();
    default:
      return /^[^A-Z]/.test(part.type) ? undefined : refuse();
  }
}

function visitImport(part: Part, scope: Scope): void {
  const { from, names } = importOf(part) ?? refuse();
  for (const [name, own] of names) {
    if (!(from === undefined ? PYTHON_ROOTS : PYTHON_ROOTS.get(from))?.has(name)) refuse();
    const outer = name.replace(/\..*/, ""); // `import os.path` sets the name `os`
    const meaning = from === undefined ? (own === undefined ? outer : name) : `${from}.${name}`;
    const called = own ?? outer;
    if ((scope.modules.get(called) ?? meaning) !== meaning || scope.sources.has(called) || PYTHON_NAMES.has(called)) refuse();
    checkOwnName(called);
    scope.modules.set(called, meaning);
    scope.imports.push((from ?? name).replace(/\..*/, ""));
  }
}

function visitMember(part: Part, scope: Scope): void {
  const [object, sign, name] = part.parts;
  if (!object || sign?.type !== ".") return visitAll(part.parts, scope);
  const member = memberOf(part, scope);
  if (member !== undefined) {
    const isKnown = PYTHON_ROOTS.get(member.replace(/\.\w+$/, ""))?.has(name?.text ?? "") === true;
    return isKnown && !isOnlyCalled(member) ? undefined : refuse();
  }
  if (name?.text === "__name__" && isTypeCall(object)) return visitAll(object.parts[1]?.parts ?? [], scope);
  if (!PYTHON_MEMBERS.has(name?.text ?? "") || (usesPaths(scope) && /^(replace|copy)$/.test(name?.text ?? ""))) refuse();
  if (!PATH_PARTS.test(name?.text ?? "") || !pathsOf(object, scope)) visit(object, scope);
}

/** Members of a path that come from its name alone. */
const PATH_PARTS = /^(name|stem|suffix|parts|as_posix)$/;

/** True for `type(x)`. */
const isTypeCall = ({ type, parts: [callee, list] }: Part): boolean =>
  type === "CallExpression" && callee?.text === "type" && list?.parts.length === 3 && /^[A-Z]/.test(list.parts[1]?.type ?? "");

/** `/` joins paths. The gate follows only those that it knows. */
function visitOperation(part: Part, scope: Scope): void {
  const [left, operator, right] = part.parts;
  if (operator?.type === "CompareOp" && left?.text === "__name__" && right?.type === "String") return;
  if (operator?.text === "/" && usesPaths(scope) && !isNumber(left) && !isNumber(right))
    return recordPath(pathsOf(part, scope) ?? refuse(), scope);
  visitAll(part.parts, scope);
}

const usesPaths = ({ modules }: Scope): boolean => [...modules.values()].some((name) => name.startsWith("pathlib"));

/** True for a value that is surely no path. */
function isNumber(part: Part | undefined): boolean {
  const callee = part?.type === "CallExpression" ? (part.parts[0]?.text ?? "") : "";
  return part?.type === "Number" || /^(len|float|int|round)$/.test(callee);
}

function visitCall(part: Part, scope: Scope): void {
  const [callee, list] = part.parts;
  if (!callee || list?.type !== "ArgList") return refuse();
  const given = argumentsOf(list);
  const member = memberOf(callee, scope);
  const [object, sign, name] = callee.parts;
  if ((callee.text === "open" && callee.type === "VariableName") || member === "io.open") return visitOpen(given, scope);
  if (member === "pathlib.Path" || (isCurrentFolder(callee, scope) && list.text === "()"))
    return recordPath(pathsOf(part, scope) ?? refuse(), scope);
  if (member === "glob.glob") return visitGlob(given ?? refuse(), scope);
  // With the name of a file, Python shows a line of that file about an error.
  if (member === "ast.parse" && given?.some(({ name, sign }, i) => sign !== undefined || (i > 0 && name !== "mode"))) refuse();
  if (member === "ast.parse")
    return visitAll(
      (given ?? refuse()).map(({ value }) => value),
      scope,
    );
  const uses = PYTHON_FILES.get(member ?? "");
  if (uses !== undefined) return visitFileFunction(uses, given, scope);
  if (callee.type === "VariableName" && callee.text === "file") refuse();
  const isMethod = callee.type === "MemberExpression" && sign?.type === "." && object !== undefined && member === undefined;
  if (!isMethod || !visitMethod(object, name?.text ?? "", given, scope)) visit(callee, scope);
  if (given)
    return visitAll(
      given.map(({ value }) => value),
      scope,
    );
  visitBinding({ ...list, type: "ComprehensionExpression" }, scope);
}

/** Records `glob("src/*.ts")` as a search below `src`. */
function visitGlob([pattern, ...more]: readonly Argument[], scope: Scope): void {
  const isPlain =
    pattern &&
    pattern.name === undefined &&
    pattern.sign === undefined &&
    more.every(({ name, value }) => name === "recursive" && value.type === "Boolean");
  for (const text of (isPlain && valuesOf(pattern.value, scope)) || refuse()) {
    if (/(^|\/)\.\.(\/|$)|[[?\0]/.test(text) || !text.includes("*")) refuse();
    const parts = text.split("/");
    const folder = parts
      .slice(
        0,
        parts.findIndex((each, i) => /[*?]/.test(each) || i === parts.length - 1),
      )
      .join("/");
    scope.globs.push(path.posix.basename(text));
    recordPath([folder || (text.startsWith("/") ? "/" : ".")], scope);
  }
}

/** Records the files of a function such as `os.rename("a", "b")`. */
function visitFileFunction(uses: string, given: readonly Argument[] | undefined, scope: Scope): void {
  const count = uses.split(",").length;
  const files = given?.slice(0, count).filter(({ name, sign }) => name === undefined && sign === undefined) ?? [];
  const isPlain = given
    ?.slice(count)
    .every(({ name, value }) => /^(exist_ok|parents|mode)$/.test(name ?? "") && /^(Boolean|Number)$/.test(value.type));
  if (!isPlain || files.length < count) return refuse();
  if (count === 1 && uses !== "writes" && files[0] && isFound(files[0].value, scope)) return;
  const values = files.map(({ value }) => pathsOf(value, scope) ?? valuesOf(value, scope));
  // `os.makedirs` makes each folder on the way.
  if (count === 1 && uses === "writes" && values.flat().some((value) => value?.includes(".."))) refuse();
  scope.paths.push(...(accessesOf(uses, values) ?? refuse()));
}

/** Visits the object of a method that uses files or joins paths. Returns false for other methods. */
function visitMethod(object: Part, method: string, given: readonly Argument[] | undefined, scope: Scope): boolean {
  const isPlain = given?.every(({ sign, name }) => sign === undefined && name === undefined) === true;
  const paths = pathsOf(object, scope);
  const use = FILE_METHODS[method];
  if (method === "format") return object.type === "String" && !/\\|\{[^{}:!]*[.[]/.test(object.text) ? true : refuse(); // it reads attributes: "{0.name}"
  if (method === "glob" || method === "rglob") scope.globs.push(globOf(given));
  else if (method === "iterdir") scope.globs.push("*");
  // Of a path, these methods move or copy the file.
  else if (method === "replace" ? !isPlain || (given?.length ?? 0) < 2 : method === "copy" ? given?.length !== 0 : true) {
    if (!paths && (use === "writes" || (method === "open" && !isFound(object, scope)))) refuse();
    if (!paths && method === "open") {
      openFiles([], given ?? refuse(), scope);
      return true;
    }
    if (!paths || (use === undefined && method !== "open")) return false;
    if (method === "open") openFiles(paths, given ?? refuse(), scope);
    else if (method === "mkdir" && paths.some((each) => each.includes(".."))) refuse();
    else record(paths, use ?? refuse(), scope);
    return true;
  }
  visit(object, scope);
  return true;
}

/** Returns the pattern for the names of the files that `glob` finds. */
function globOf(given: readonly Argument[] | undefined): string {
  const [{ value, sign } = refuse(), ...more] = given ?? [];
  const pattern = value.type === "String" && sign === undefined && more.length === 0 ? textOf(value) : undefined;
  if (!pattern?.includes("*") || /(^|\/)\.\.(\/|$)|^\/|[[?]/.test(pattern)) return refuse();
  return path.posix.basename(path.posix.normalize(pattern));
}

/** Methods of a path, and their use of the file. */
const FILE_METHODS: Readonly<Record<string, PathUse>> = {
  read_text: "reads",
  read_bytes: "reads",
  write_text: "writes",
  write_bytes: "writes",
  exists: "names",
  is_file: "names",
  is_dir: "names",
  stat: "names",
  mkdir: "writes",
  touch: "writes",
  unlink: "writes",
};

function record(files: readonly string[] | undefined, use: PathUse, scope: Scope): void {
  for (const file of files ?? refuse()) scope.paths.push(fileAccess(file, use) ?? refuse());
}

/** Records a path that the code keeps. It may read everything below it that matches the patterns of the code. */
function recordPath(files: readonly string[], { paths, globs }: Scope): void {
  const leavesOut = () => (name: string) => !globs.some((glob) => matchesWildcard(glob, name));
  for (const file of files) {
    if (file.includes(ANY_NAME)) refuse();
    paths.push({ word: literal(file), use: "searches", search: { follows: true, leavesOut } });
  }
}

function visitOpen(given: readonly Argument[] | undefined, scope: Scope): void {
  const [file, ...more] = given ?? [];
  if (!file || file.sign !== undefined || (file.name ?? "file") !== "file") return refuse();
  openFiles(isFound(file.value, scope) ? [] : (pathsOf(file.value, scope) ?? valuesOf(file.value, scope)), more, scope);
}

/** Records `open("a.json", "w", encoding="utf-8")`. The mode and the other arguments must be plain. */
function openFiles(files: readonly string[] | undefined, given: readonly Argument[], scope: Scope): void {
  let mode = "r";
  for (const [i, { name = i === 0 ? "mode" : "", sign, value }] of given.entries()) {
    const text = value.type === "None" ? "" : value.type === "String" ? textOf(value) : undefined;
    if (sign !== undefined || text === undefined || !/^(mode|encoding|errors|newline)$/.test(name)) return refuse();
    if (name === "mode") mode = text;
  }
  if (!/^[rwax][bt+]{0,2}$/.test(mode) || (files?.length === 0 && /[wax+]/.test(mode))) refuse();
  if (/[r+]/.test(mode)) record(files, "reads", scope);
  if (/[wax+]/.test(mode)) record(files, "writes", scope);
}
