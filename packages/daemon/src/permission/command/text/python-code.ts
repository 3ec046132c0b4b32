import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";
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
import { accessesOf, allOf, ANY_NAME, fileAccess, joined, MAX_VISITS, valuesOfName } from "./known-values.ts";

/** One part of the code. `type`: the name that the grammar of Lezer gives to it, such as `CallExpression` or `for`. */
type Part = { type: string; text: string; parts: Part[]; from: number };

/**
 * A source of the value of a variable: an expression, an element of a list, what calls of a function give to its parameter `at`, or the element `at`
 * of each tuple in a list, which also sets `folders`. Anything else is undefined.
 */
type Source = { value: Part } | Element | { of: string; at: number } | undefined;

type Element = { each: Part; at?: number; folders?: string };

/**
 * `modules`: the names that the code gives to modules and their members. `globs`: the patterns of files that the code looks for. `sources`: what each
 * variable may hold. `calls`: the arguments of all calls of a function, if the code only calls it. `given`: the arguments of the code. `values`, `pathValues`: the texts and paths that the gate has found for a variable.
 */
type Scope = FilesOfCode & {
  modules: Map<string, string>;
  globs: string[];
  sources: ReadonlyMap<string, readonly Source[]>;
  uses: Uses;
  given: readonly string[];
  values: Map<string, string[] | undefined>;
  pathValues: Map<string, string[] | undefined>;
};

class UnknownCode extends Error {}

/** Refuses code that may do more than read, compute and print. */
function refuse(): never {
  throw new UnknownCode();
}

/**
 * Ends of lines and indents that Python has besides `\n` and blanks, and declarations of an encoding in which a comment may contain an end of line.
 */
const STRANGE = /[\r\0\f]|^[ \t]*#[^\n]*coding[:=]/m;

/**
 * Returns the files that code in Python reads or writes. Undefined unless the code certainly only computes, prints, and uses files that it names.
 */
export function readPython(code: string, given: readonly string[] = []): FilesOfCode | undefined {
  if (STRANGE.test(code)) return undefined;
  try {
    const script = partOf(parser.parse(code).topNode, code);
    const scope: Scope = {
      ...nothingKnown(),
      modules: new Map(),
      sources: sourcesOf(script),
      uses: usesOf(script),
      given: CHANGES_ARGUMENTS.test(code) ? [] : given,
    };
    // A name may have its meaning further down, so the last visit knows all names from the start.
    for (let before = -1, visits = 0; before < scope.modules.size; visits += 1) {
      if (visits > MAX_VISITS) refuse();
      before = scope.modules.size;
      Object.assign(scope, nothingKnown());
      visit(script, scope);
    }
    return scope.paths.some(replacesModule) ? undefined : { paths: scope.paths, imports: scope.imports };
  } catch (error) {
    if (error instanceof UnknownCode || error instanceof RangeError) return undefined; // RangeError: too deep
    throw error;
  }
}

/** A use of the arguments that may change them. */
const CHANGES_ARGUMENTS = /argv(?!\[\d+\]|\[1:\])/;

const nothingKnown = () => ({ paths: [], imports: [], globs: [], values: new Map(), pathValues: new Map() });

/** Copies a node of the parser without comments. Refuses code with errors. */
function partOf(node: SyntaxNode, code: string): Part {
  if (node.type.isError) refuse();
  const parts: Part[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== "Comment") parts.push(partOf(child, code));
  return { type: node.name, text: code.slice(node.from, node.to), parts, from: node.from };
}

/** True for an edit of a file that Python may load in the place of a module of its own. Only the folder of the code is in its path. */
function replacesModule({ word: { text }, use }: FilesOfCode["paths"][number]): boolean {
  const parts = path.posix.normalize(text).split("/");
  const names = /^(\/|\.\.)/.test(parts.join("/")) ? parts : parts.slice(0, 1);
  const isModule = names.map((name) => name.replace(/\..*/, "")).some((name) => STANDARD_MODULES.has(name) || name.startsWith("_"));
  return use === "writes" && isModule && /\.(py|pyc|so|pyd)$/.test(text);
}

/** Parts that do nothing but what their own parts do. */
const NEUTRAL = new Set(
  `Script StatementGroup ExpressionStatement Body IfStatement WhileStatement ReturnStatement RaiseStatement AssertStatement PassStatement
  BreakStatement ContinueStatement YieldStatement YieldExpression UnaryExpression ConditionalExpression LambdaExpression ArrayExpression
  TupleExpression SetExpression DictionaryExpression ParenthesizedExpression ContinuedString FormatReplacement FormatSpec
  Number String Boolean None Ellipsis Escape CompareOp ArithOp BitOp FormatConversion FormatSelfDoc`.split(/\s+/),
);

/** Parts in which something gets a name: `x = 1`, `for x in y`, `with x as y`, `del x`. */
const BINDING = new Set(
  `AssignStatement UpdateStatement DeleteStatement ForStatement WithStatement TryStatement NamedExpression ArrayComprehensionExpression
  DictionaryComprehensionExpression SetComprehensionExpression ComprehensionExpression ScopeStatement`.split(/\s+/),
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
  // Python 2 has a function `file` that opens a file.
  if (text === "file" && !scope.sources.has(text)) refuse();
}

/** True for a module, and for a function that uses the file that its argument names. They may not get another name. */
const isOnlyCalled = (name: string): boolean =>
  PYTHON_ROOTS.has(name) || /^(pathlib\.Path|glob\.glob)$/.test(name) || PYTHON_FILES.has(name);

/** Refuses a name that has a meaning of its own in some version of Python. */
function checkOwnName(name: string): void {
  if (!/^[A-Za-z_]\w*$/.test(name) || name.includes("__") || PYTHON_BANNED.has(name)) refuse();
}

function visitParams(parts: readonly Part[], scope: Scope): void {
  for (const [i, part] of parts.entries()) {
    // The name of a parameter. What follows `=` is a value.
    if (part.type === "VariableName" && parts[i - 1]?.type !== "AssignOp") checkOwnName(part.text);
    else if (part.type !== "AssignOp") visit(part, scope);
  }
}

/** Splits a part that gives names into the targets and the rest. */
function targetsOf({ type, parts }: Part): { targets: Part[]; rest: Part[] } {
  const targets: Part[] = [];
  const rest: Part[] = [];
  const last = parts.findLastIndex((each) => each.type === "AssignOp" || each.type === "UpdateOp");
  const isWhole = type === "DeleteStatement" || type === "ScopeStatement";
  let isTarget = isWhole || type === "AssignStatement" || type === "UpdateStatement" || type === "NamedExpression";
  for (const [i, part] of parts.entries()) {
    if (/^(for|as)$/.test(part.type)) isTarget = true;
    else if (part.type === "in" || part.type === "Body" || i === last || (isTarget && part.type === "," && type === "WithStatement"))
      isTarget = false;
    if (/^[A-Z*]/.test(part.type) && !/^(Assign|Update)Op$/.test(part.type))
      (isTarget && part.type !== "TypeDef" ? targets : rest).push(part);
  }
  return { targets, rest };
}

function visitBinding(part: Part, scope: Scope): void {
  const { targets, rest } = targetsOf(part);
  for (const target of targets) visitTarget(target, scope);
  if (usesPaths(scope) && part.parts.some(({ text }) => text === "/=")) refuse();
  if (part.type === "AssignStatement" && pathsOfVariable(targets[0]?.text ?? "", scope)) return; // the code uses the path where it uses the name
  visitAll(rest, scope);
}

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

function visitImport({ parts }: Part, scope: Scope): void {
  const words = parts.map(({ text }) => text).join(" ");
  const found =
    /^(?:from (?<module>\w+(?: \. \w+)*) )?import (?:\( )?(?<names>\w+(?: \. \w+)*(?: as \w+)?(?: , \w+(?: \. \w+)*(?: as \w+)?)*)(?: ,)?(?: \))?$/.exec(
      words,
    );
  const from = found?.groups?.["module"]?.replaceAll(" ", "");
  for (const each of found?.groups?.["names"]?.split(" , ") ?? refuse()) {
    const [name = "", own] = each.replaceAll(" . ", ".").split(" as ");
    if (!(from === undefined ? PYTHON_ROOTS : PYTHON_ROOTS.get(from))?.has(name)) refuse();
    const outer = name.replace(/\..*/, ""); // `import os.path` sets the name `os`
    const meaning = from === undefined ? (own === undefined ? outer : name) : `${from}.${name}`;
    const called = own ?? outer;
    if ((scope.modules.get(called) ?? meaning) !== meaning || scope.sources.has(called)) refuse();
    checkOwnName(called);
    scope.modules.set(called, meaning);
    scope.imports.push((from ?? name).replace(/\..*/, ""));
  }
}

/** Returns the member of a module that the code names, such as `os.path.join`. A module itself is `os`. */
function memberOf({ type, text, parts }: Part, scope: Scope): string | undefined {
  if (type === "VariableName") return scope.modules.get(text);
  const [object, sign, name] = parts;
  const module = type === "MemberExpression" && sign?.type === "." && object ? memberOf(object, scope) : undefined;
  return module !== undefined && PYTHON_ROOTS.has(module) ? `${module}.${name?.text}` : undefined;
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
  if (operator?.text === "/" && usesPaths(scope) && !isNumber(left, scope) && !isNumber(right, scope))
    return recordPath(pathsOf(part, scope) ?? refuse(), scope);
  visitAll(part.parts, scope);
}

const usesPaths = ({ modules }: Scope): boolean => [...modules.values()].some((name) => name.startsWith("pathlib"));

/** True for a value that is surely no path. */
function isNumber(part: Part | undefined, { sources }: Scope): boolean {
  const callee = part?.type === "CallExpression" ? (part.parts[0]?.text ?? "") : "";
  return part?.type === "Number" || (/^(len|float|int|round)$/.test(callee) && !sources.has(callee));
}

/** The arguments of a call. `name`: for `encoding="utf-8"`. `sign`: for `*list`. */
type Argument = { name?: string; sign?: string; value: Part };

/** Returns the arguments of a call. Undefined for a generator without brackets of its own. */
function argumentsOf(list: Part | undefined): Argument[] | undefined {
  const found: Argument[] = [];
  let sign: string | undefined;
  for (let i = 1; list && i < list.parts.length - 1; i++) {
    const [part, operator, value] = list.parts.slice(i, i + 3);
    if (part?.type === "for") return undefined;
    if (part?.type === "AssignOp") refuse(); // `f(x := 1)`
    if (part?.type === "*" || part?.type === "**") sign = part.type;
    else if (part && part.type !== ",") {
      const isNamed = part.type === "VariableName" && operator?.text === "=" && value !== undefined;
      found.push({ value: isNamed ? value : part, ...(isNamed ? { name: part.text } : {}), ...(sign === undefined ? {} : { sign }) });
      if (isNamed) i += 2;
      sign = undefined;
    }
  }
  return found;
}

function visitCall(part: Part, scope: Scope): void {
  const [callee, list] = part.parts;
  if (!callee || list?.type !== "ArgList") return refuse();
  const given = argumentsOf(list);
  const member = memberOf(callee, scope);
  const [object, sign, name] = callee.parts;
  if (callee.text === "open" && callee.type === "VariableName") return visitOpen(given, scope);
  if (member === "pathlib.Path" || isCurrentFolder(callee, scope)) return recordPath(pathsOf(part, scope) ?? refuse(), scope);
  if (member === "glob.glob") return visitGlob(given ?? refuse(), scope);
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
  const isPlain = pattern && pattern.name === undefined && pattern.sign === undefined && more.every(({ name }) => name === "recursive");
  for (const text of (isPlain && valuesOf(pattern.value, scope)) || refuse()) {
    if (/(^|\/)\.\.(\/|$)|\[|\0/.test(text)) refuse();
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
  const isPlain = given?.slice(count).every(({ name, value }) => name !== undefined && /^(Boolean|Number|None)$/.test(value.type));
  if (!isPlain || files.length < count) return refuse();
  if (count === 1 && uses !== "writes" && files[0] && isFound(files[0].value, scope)) return;
  scope.paths.push(
    ...(accessesOf(
      uses,
      files.map(({ value }) => pathsOf(value, scope) ?? valuesOf(value, scope)),
    ) ?? refuse()),
  );
}

/** Visits the object of a method that uses files or joins paths. Returns false for other methods. */
function visitMethod(object: Part, method: string, given: readonly Argument[] | undefined, scope: Scope): boolean {
  const isPlain = given?.every(({ sign, name }) => sign === undefined && name === undefined) === true;
  const paths = pathsOf(object, scope);
  const use = FILE_METHODS[method];
  if (method === "format") return object.type === "String" && !/\{[^{}:!]*[.[]/.test(object.text) ? true : refuse(); // it reads attributes: "{0.name}"
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
  if (pattern === undefined || /(^|\/)\.\.(\/|$)|^\/|\[/.test(pattern)) return refuse();
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

/** True for a file that a search of a path has found, which counts as read: `for p in sorted(Path("src").rglob("*.ts"))`. */
function isFound({ type, text }: Part, scope: Scope): boolean {
  const [source, ...more] = (type === "VariableName" && scope.sources.get(text)) || [];
  const list = source && "each" in source && source.at === undefined && more.length === 0 ? source.each : undefined;
  const isSorted = list?.parts[0]?.text === "sorted" && !scope.sources.has("sorted");
  const search = isSorted ? plainArguments(list.parts[1])?.[0] : list;
  const [callee, args] = search?.type === "CallExpression" ? search.parts : [];
  if (!callee || !args) return false;
  if (memberOf(callee, scope) === "glob.glob") return true;
  return (
    callee.parts[1]?.type === "." &&
    /^(r?glob|iterdir)$/.test(callee.parts[2]?.text ?? "") &&
    memberOf(callee, scope) === undefined &&
    pathsOf(callee.parts[0], scope) !== undefined
  );
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

/** Returns what each variable may hold. */
function sourcesOf(script: Part): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  const add = (name: string, source: Source) => sources.set(name, [...(sources.get(name) ?? []), source]);
  const addAll = (part: Part): void => {
    if (part.type === "VariableName") add(part.text, undefined);
    else if (part.type !== "MemberExpression") for (const each of part.parts) addAll(each);
  };
  const collect = (part: Part, isDefinition = false): void => {
    const { type, parts } = part;
    if (BINDING.has(type) || type === "ArgList") {
      const { targets, rest } = targetsOf(part);
      const [first, ...more] = targets;
      const isFor = type === "ForStatement" || type.endsWith("ComprehensionExpression");
      const values = rest.filter(({ type: each }) => !/^(Body|TypeDef|AssignOp)$/.test(each));
      const list = isFor && values.length === (type === "ForStatement" ? 1 : 2) ? values.at(-1) : undefined;
      const value = type === "AssignStatement" && values.length === 1 ? values[0] : undefined;
      if (first?.type === "VariableName" && more.length === 0 && type !== "ArgList" && (list ?? value))
        add(first.text, list ? { each: list } : value && { value });
      else if (type === "ForStatement" && list && targets.length === 3 && targets.every((each) => each.type === "VariableName"))
        for (const [at, each] of targets.entries()) add(each.text, { each: list, at, folders: targets[1]?.text ?? "" });
      else if (type !== "ArgList" || parts.some((each) => each.type === "for")) for (const target of targets) addAll(target);
    } else if (type === "FunctionDefinition") {
      const [name, list] = [parts.find((each) => each.type === "VariableName"), parts.find((each) => each.type === "ParamList")];
      if (name) add(name.text, undefined);
      const params = list?.parts.filter((each) => /^[A-Z*]/.test(each.type)) ?? [];
      const isPlain = name !== undefined && params.every((each) => /^(VariableName|TypeDef)$/.test(each.type));
      for (const [at, each] of params.filter((param) => param.type === "VariableName").entries())
        add(each.text, isPlain ? { of: name.text, at } : undefined);
    } else if (type === "ParamList" && !isDefinition) {
      for (const each of parts) if (each.type === "VariableName") add(each.text, undefined);
    }
    for (const each of parts) collect(each, type === "FunctionDefinition");
  };
  collect(script);
  return sources;
}

/** How often each name occurs, how often as the list of a loop, and the arguments of each call of it. `text`: the code. */
type Uses = {
  names: ReadonlyMap<string, number>;
  lists: ReadonlyMap<string, number>;
  calls: ReadonlyMap<string, readonly Part[]>;
  text: string;
};

/** True if the code sets a name once and then only loops over its value. `filters`: it may also leave out elements, as in `a[:] = [b for b in a if …]`. */
function isOnlyLoopedOver(name: string, { names, lists, text }: Uses, filters = false): boolean {
  const others = (names.get(name) ?? 0) - (lists.get(name) ?? 0) - 1;
  return others === 0 || (filters && others === 1 && new RegExp(String.raw`\b${name}\[:\] = \[(\w+) for \1 in ${name} if `).test(text));
}

function usesOf(script: Part): Uses {
  const [names, lists, calls] = [new Map<string, number>(), new Map<string, number>(), new Map<string, Part[]>()];
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const collect = (part: Part): void => {
    const { type, text, parts } = part;
    const [callee, list] = parts;
    if (type === "VariableName") count(names, text);
    if (type === "CallExpression" && callee?.type === "VariableName" && list)
      calls.set(callee.text, [...(calls.get(callee.text) ?? []), list]);
    for (const [i, each] of parts.entries()) {
      if (each.type === "VariableName" && parts[i - 1]?.type === "in" && BINDING.has(type)) count(lists, each.text);
      collect(each);
    }
  };
  collect(script);
  return { names, lists, calls, text: script.text };
}

/** Returns the text of a string in the code. Undefined if it has escapes or bytes. */
function textOf({ text }: Part): string | undefined {
  const [, prefix = "", , body = ""] = /^(\w*)("""|'''|"|')([^]*)\2$/.exec(text) ?? [];
  return /^[rRuU]?$/.test(prefix) && !body.includes("\\") ? body : undefined;
}

/** Returns the texts that an expression may be. Undefined if they are not certain. */
function valuesOf(part: Part | undefined, scope: Scope): string[] | undefined {
  const [left, operator, right] = part?.parts ?? [];
  switch (part?.type) {
    case "String": {
      const text = textOf(part);
      return text === undefined ? undefined : [text];
    }
    case "ContinuedString":
      return joined(part.parts.map((each) => valuesOf(each, scope)));
    case "FormatString":
      return valuesOfFormat(part, scope);
    case "ParenthesizedExpression":
      return part.parts.length === 3 ? valuesOf(operator, scope) : undefined;
    case "MemberExpression": {
      const at = left && memberOf(left, scope) === "sys.argv" ? /\[(\d+)\]$/.exec(part.text)?.[1] : undefined;
      const value = at === undefined ? undefined : scope.given[Number(at)];
      return value === undefined ? undefined : [value];
    }
    case "VariableName":
      return valuesOfName(part.text, scope.values, () => valuesOfVariable(part.text, scope));
    case "BinaryExpression":
      return operator?.text === "+" ? joined([valuesOf(left, scope), valuesOf(right, scope)]) : undefined;
    case "CallExpression": {
      const given = left && memberOf(left, scope) === "os.path.join" ? plainArguments(operator) : undefined;
      return given && given.length > 0 ? joinedPath(given.map((each) => valuesOf(each, scope))) : undefined;
    }
    default:
      return undefined;
  }
}

/** Joins paths as Python does: an absolute path takes the place of those before it. */
const joinedPath = (lists: readonly (readonly string[] | undefined)[]): string[] | undefined =>
  joined(lists, (parts) => parts.reduce((folder, each) => (each.startsWith("/") ? each : `${folder}/${each}`)));

function valuesOfFormat({ text, parts, from }: Part, scope: Scope): string[] | undefined {
  const [, quote = ""] = /^[fF]("""|'''|"|')/.exec(text) ?? [];
  if (quote === "" || /\\|\{\{|\}\}/.test(text)) return undefined;
  const lists: (readonly string[] | undefined)[] = [];
  let end = quote.length + 1;
  for (const part of parts) {
    lists.push([text.slice(end, part.from - from)], part.parts.length === 3 ? valuesOf(part.parts[1], scope) : undefined);
    end = part.from - from + part.text.length;
  }
  return joined([...lists, [text.slice(end, -quote.length)]]);
}

function valuesOfSource(source: Source, scope: Scope): string[] | undefined {
  if (source === undefined) return undefined;
  if ("value" in source) return valuesOf(source.value, scope);
  if ("each" in source && source.at !== undefined) return source.at === 0 ? valuesOfWalk(source, scope) : undefined;
  if ("each" in source) return valuesOfList(source.each, scope);
  const calls = scope.uses.calls.get(source.of) ?? [];
  const isOnlyCalled = calls.length + 1 === scope.uses.names.get(source.of) && scope.sources.get(source.of)?.length === 1;
  return isOnlyCalled ? allOf(calls.map((list) => valuesOf(plainArguments(list)?.[source.at], scope))) : undefined;
}

function valuesOfVariable(name: string, scope: Scope): string[] | undefined {
  const sources = PYTHON_NAMES.has(name) ? [] : (scope.sources.get(name) ?? []);
  return sources.length > 0 ? allOf(sources.map((source) => valuesOfSource(source, scope))) : undefined;
}

/** Returns the folders below which `os.walk` finds the first element of its tuples. The code must not add to the second one. */
function valuesOfWalk({ each: part, folders: name = "" }: Element, scope: Scope): string[] | undefined {
  const [callee, list] = part.type === "CallExpression" && isOnlyLoopedOver(name, scope.uses, true) ? part.parts : [];
  const folders = callee && memberOf(callee, scope) === "os.walk" ? valuesOf(plainArguments(list)?.[0], scope) : undefined;
  return folders?.map((folder) => `${folder.replace(/\/$/, "")}/${ANY_NAME}`);
}

/** Returns the texts in a list. A variable may hold the list if the code does nothing with it but loops over it. */
function valuesOfList(part: Part, scope: Scope): string[] | undefined {
  const [callee, given] = part.type === "CallExpression" ? part.parts : [];
  if (callee?.text === "sorted" && !scope.sources.has("sorted")) {
    const [list, ...more] = argumentsOf(given) ?? [];
    const isPlain = list && list.sign === undefined && list.name === undefined && more.every(({ name }) => name !== undefined);
    return isPlain ? valuesOfList(list.value, scope) : undefined;
  }
  if (callee && memberOf(callee, scope) === "os.listdir") return [ANY_NAME];
  if (part.text === "sys.argv[1:]" && memberOf(part.parts[0] ?? part, scope) === "sys.argv") return scope.given.slice(1);
  if (part.type === "VariableName") {
    const [source, ...more] = scope.sources.get(part.text) ?? [];
    const isOnlyRead = more.length === 0 && isOnlyLoopedOver(part.text, scope.uses) && !PYTHON_NAMES.has(part.text);
    if (source && "each" in source && source.at === 2) return isOnlyRead && valuesOfWalk(source, scope) ? [ANY_NAME] : undefined; // names of files
    return source && "value" in source && isOnlyRead && source.value.type !== "VariableName"
      ? valuesOfList(source.value, scope)
      : undefined;
  }
  if (!/^(Array|Tuple)Expression$/.test(part.type)) return undefined;
  return allOf(part.parts.filter(({ type }) => !/^[[\](),]$/.test(type)).map((each) => valuesOf(each, scope)));
}

/** Returns the arguments of a call if they have no names and signs. */
function plainArguments(list: Part | undefined): Part[] | undefined {
  const given = argumentsOf(list);
  return given?.every(({ name, sign }) => name === undefined && sign === undefined) ? given.map(({ value }) => value) : undefined;
}

/** Returns the paths that a variable holds: `p = Path("a.txt")`. Undefined if it may hold anything else. */
const pathsOfVariable = (name: string, scope: Scope): string[] | undefined =>
  valuesOfName(name, scope.pathValues, () => {
    const sources = scope.sources.get(name) ?? [];
    const paths = sources.map((source) => (source !== undefined && "value" in source ? pathsOf(source.value, scope) : undefined));
    return sources.length > 0 ? allOf(paths) : undefined;
  });

/** True for `Path.cwd`. */
const isCurrentFolder = ({ parts: [object, sign, name] }: Part, scope: Scope): boolean =>
  object !== undefined && sign?.type === "." && name?.text === "cwd" && memberOf(object, scope) === "pathlib.Path";

/** Returns the paths that an expression may be: `Path("src") / "a.txt"`. Undefined if it is no path, or they are not certain. */
function pathsOf(part: Part | undefined, scope: Scope): string[] | undefined {
  const [left, operator, right] = part?.parts ?? [];
  switch (part?.type) {
    case "VariableName":
      return pathsOfVariable(part.text, scope);
    case "ParenthesizedExpression":
      return part.parts.length === 3 ? pathsOf(operator, scope) : undefined;
    case "BinaryExpression":
      return operator?.text === "/" ? joinedPath([pathsOf(left, scope), valuesOf(right, scope)]) : undefined;
    case "CallExpression": {
      if (left && isCurrentFolder(left, scope)) return ["."];
      const given = left && memberOf(left, scope) === "pathlib.Path" ? plainArguments(operator) : undefined;
      return given && joinedPath(given.length === 0 ? [["."]] : given.map((each) => pathsOf(each, scope) ?? valuesOf(each, scope)));
    }
    default:
      return undefined;
  }
}
