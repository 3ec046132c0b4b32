import { PYTHON_NAMES } from "../tables/harmless-identifiers.ts";
import { allOf, ANY_NAME, joined, valuesOfName } from "./known-values.ts";
import { type Element, type Part, type Scope, type Source, argumentsOf, memberOf, plainArguments } from "./python-scope.ts";
import { isOnlyLoopedOver } from "./python-sources.ts";

/** True for a file that a search of a path has found, which counts as read: `for p in sorted(Path("src").rglob("*.ts"))`. */
export function isFound({ type, text }: Part, scope: Scope): boolean {
  const [source, ...more] = (type === "VariableName" && scope.sources.get(text)) || [];
  const list = source && "each" in source && source.at === undefined && more.length === 0 ? source.each : undefined;
  const isSorted = list?.parts[0]?.text === "sorted";
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

/** Returns the text of a string in the code. Undefined if it has escapes or bytes. */
export function textOf({ text }: Part): string | undefined {
  const [, prefix = "", , body = ""] = /^(\w*)("""|'''|"|')([^]*)\2$/.exec(text) ?? [];
  return /^[rRuU]?$/.test(prefix) && !body.includes("\\") ? body : undefined;
}

/** Returns the texts that an expression may be. Undefined if they are not certain. */
export function valuesOf(part: Part | undefined, scope: Scope): string[] | undefined {
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
      const at = left && memberOf(left, scope) === "sys.argv" ? /\[(0|[1-9]\d*)\]$/.exec(part.text)?.[1] : undefined;
      const value = at === undefined ? undefined : scope.given?.[Number(at)];
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
    case undefined:
    default:
      return undefined;
  }
}

/** Joins paths as Python does: an absolute path takes the place of those before it. */
const joinedPath = (lists: readonly (readonly string[] | undefined)[]): string[] | undefined =>
  joined(lists, (parts) =>
    parts.reduce((folder, each) => (each.startsWith("/") || folder === "" ? each : `${folder.replace(/\/$/, "")}/${each}`), ""),
  );

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
  if ("each" in source && source.at !== undefined)
    return valuesOfColumn(source, scope) ?? (source.at === 0 ? valuesOfWalk(source, scope) : undefined);
  if ("each" in source) return valuesOfList(source.each, scope);
  const calls = scope.uses.calls.get(source.of) ?? [];
  const isOnlyCalled = calls.length + 1 === scope.uses.names.get(source.of) && scope.sources.get(source.of)?.length === 1;
  const given = calls.map((list) => argumentsOf(list)?.slice(0, source.at + 1) ?? []);
  const isPlain = given.every(
    (each) => each.length > source.at && each.every(({ name, sign }) => name === undefined && sign === undefined),
  );
  return isOnlyCalled && isPlain ? allOf(given.map((each) => valuesOf(each[source.at]?.value, scope))) : undefined;
}

function valuesOfVariable(name: string, scope: Scope): string[] | undefined {
  const sources = PYTHON_NAMES.has(name) ? [] : (scope.sources.get(name) ?? []);
  return sources.length > 0 ? allOf(sources.map((source) => valuesOfSource(source, scope))) : undefined;
}

/** Returns the folders below which `os.walk` finds the first element of its tuples. The code must not add to the second one. */
function valuesOfWalk({ each: part, names: [, name = ""] = [] }: Element, scope: Scope): string[] | undefined {
  const [callee, list] = part.type === "CallExpression" && isOnlyLoopedOver(name, scope.uses) ? part.parts : [];
  const folders = callee && memberOf(callee, scope) === "os.walk" ? valuesOf(plainArguments(list)?.[0], scope) : undefined;
  return folders?.flatMap((folder) => [folder, `${folder.replace(/\/$/, "")}/${ANY_NAME}`]);
}

/** Returns the texts at one place of the tuples in a list, or the keys of a dictionary. */
function valuesOfColumn({ each, at = 0, names = [] }: Element, scope: Scope): string[] | undefined {
  const [callee, given] = each.type === "CallExpression" ? each.parts : [];
  if (callee?.text === "sorted") {
    const [list] = plainArguments(given) ?? [];
    return list && valuesOfColumn({ each: list, at, names }, scope);
  }
  const [object, , method] = callee?.parts ?? [];
  if (object && method?.text === "items" && given?.text === "()")
    return at === 0 && names.length === 2 ? valuesOfList(object, scope) : undefined;
  // Another loop could change a tuple that is a list.
  const list = each.type === "VariableName" && scope.uses.names.get(each.text) === 2 ? listIn(each.text, scope) : each;
  if (!list || !/^(Array|Tuple)Expression$/.test(list.type)) return undefined;
  const isRow = ({ type, parts }: Part) => /^(Array|Tuple)Expression$/.test(type) && !parts.some((part) => part.type === "*");
  const rows = elementsOf(list).map((row) => (isRow(row) ? elementsOf(row) : []));
  return rows.every((row) => row.length === names.length) ? allOf(rows.map((row) => valuesOf(row[at], scope))) : undefined;
}

const elementsOf = ({ parts }: Part): Part[] => parts.filter(({ type }) => !/^[[\](),]$/.test(type));

/** Returns the list or dictionary in a variable with which the code does nothing but loop over it. */
function listIn(name: string, scope: Scope): Part | undefined {
  const [source, ...more] = scope.sources.get(name) ?? [];
  const isOnlyRead = more.length === 0 && isOnlyLoopedOver(name, scope.uses) && !PYTHON_NAMES.has(name);
  return source && "value" in source && isOnlyRead && source.value.type !== "VariableName" ? source.value : undefined;
}

/** Returns the keys of a dictionary. */
function keysOf({ parts }: Part, scope: Scope): string[] | undefined {
  const keys = parts.filter((_, i) => parts[i + 1]?.type === ":" && /^[{,]$/.test(parts[i - 1]?.type ?? ""));
  return parts.some(({ type }) => type === "**") ? undefined : allOf(keys.map((each) => valuesOf(each, scope)));
}

/** Returns the texts in a list. A variable may hold the list if the code does nothing with it but loops over it. */
function valuesOfList(part: Part, scope: Scope): string[] | undefined {
  const [callee, given] = part.type === "CallExpression" ? part.parts : [];
  if (callee?.text === "sorted") {
    const [list, ...more] = argumentsOf(given) ?? [];
    const isPlain = list && list.sign === undefined && list.name === undefined && more.every(({ name }) => name !== undefined);
    return isPlain ? valuesOfList(list.value, scope) : undefined;
  }
  if (callee && memberOf(callee, scope) === "os.listdir") return [ANY_NAME];
  if (part.text === "sys.argv[1:]" && memberOf(part.parts[0] ?? part, scope) === "sys.argv") return scope.given?.slice(1);
  if (part.type === "DictionaryExpression") return keysOf(part, scope);
  if (part.type === "VariableName") {
    const [source, ...more] = scope.sources.get(part.text) ?? [];
    const isFiles = source && "each" in source && source.at === 2 && more.length === 0 && isOnlyLoopedOver(part.text, scope.uses);
    if (isFiles) return valuesOfWalk(source, scope) && [ANY_NAME];
    const list = listIn(part.text, scope);
    return list && valuesOfList(list, scope);
  }
  return /^(Array|Tuple)Expression$/.test(part.type) ? allOf(elementsOf(part).map((each) => valuesOf(each, scope))) : undefined;
}

/** Returns the paths that a variable holds: `p = Path("a.txt")`. Undefined if it may hold anything else. */
export const pathsOfVariable = (name: string, scope: Scope): string[] | undefined =>
  valuesOfName(name, scope.pathValues, () => {
    const sources = scope.sources.get(name) ?? [];
    const paths = sources.map((source) => {
      if (source && "value" in source) return pathsOf(source.value, scope);
      const isList = source && "each" in source && source.at === undefined && /^(Array|Tuple)Expression$/.test(source.each.type);
      return isList ? allOf(elementsOf(source.each).map((each) => pathsOf(each, scope))) : undefined;
    });
    return sources.length > 0 ? allOf(paths) : undefined;
  });

/** True for `Path.cwd`. */
export const isCurrentFolder = ({ parts: [object, sign, name] }: Part, scope: Scope): boolean =>
  object !== undefined && sign?.type === "." && name?.text === "cwd" && memberOf(object, scope) === "pathlib.Path";

/** Returns the paths that an expression may be: `Path("src") / "a.txt"`. Undefined if it is no path, or they are not certain. */
export function pathsOf(part: Part | undefined, scope: Scope): string[] | undefined {
  const [left, operator, right] = part?.parts ?? [];
  switch (part?.type) {
    case "VariableName":
      return pathsOfVariable(part.text, scope);
    case "ParenthesizedExpression":
      return part.parts.length === 3 ? pathsOf(operator, scope) : undefined;
    case "BinaryExpression":
      return operator?.text === "/" ? joinedPath([pathsOf(left, scope), valuesOf(right, scope)]) : undefined;
    case "CallExpression": {
      if (left && isCurrentFolder(left, scope)) return operator?.text === "()" ? ["."] : undefined;
      const given = left && memberOf(left, scope) === "pathlib.Path" ? plainArguments(operator) : undefined;
      const joinedParts = given && joinedPath(given.map((each) => pathsOf(each, scope) ?? valuesOf(each, scope)));
      return given?.length === 0 ? ["."] : joinedParts?.map((each) => each || ".");
    }
    case undefined:
    default:
      return undefined;
  }
}
