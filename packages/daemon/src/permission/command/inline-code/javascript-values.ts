/* oxlint-disable typescript/switch-exhaustiveness-check -- code with any other kind of node is refused or unknown */
import path from "node:path";
import type { AnyNode } from "acorn";
import { allOf, ANY_NAME, joined, valuesOfName } from "./known-values.ts";
import { type Scope, type Source, memberOf } from "./javascript-scope.ts";
import { objectListed, visitedList } from "./javascript-sources.ts";

/** Returns the texts that an expression may be. Undefined if they are not certain. */
export function valuesOf(node: AnyNode, scope: Scope): string[] | undefined {
  const valuesIn = (each: AnyNode) => valuesOf(each, scope);
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : undefined;
    case "TemplateLiteral":
      return joined(node.quasis.flatMap(({ value }, i) => [[value.cooked ?? ""], ...node.expressions.slice(i, i + 1).map(valuesIn)]));
    case "BinaryExpression":
      return node.operator === "+" ? joined([valuesIn(node.left), valuesIn(node.right)]) : undefined;
    case "Identifier":
      if (node.name === "__dirname") return [scope.folder];
      return valuesOfName(node.name, scope.values, () => {
        const sources = scope.sources.get(node.name) ?? [];
        return sources.length > 0 ? allOf(sources.map((source) => valuesOfSource(source, scope))) : undefined;
      });
    case "MemberExpression": {
      const value =
        memberOf(node.object, scope) === "process.argv" && node.property.type === "Literal"
          ? scope.given?.[Number(node.property.value)]
          : undefined;
      return value === undefined ? undefined : [value];
    }
    case "CallExpression": {
      const isJoin = memberOf(node.callee, scope) === "path.join" && node.arguments.length > 0;
      return isJoin ? joined(node.arguments.map(valuesIn), (parts) => path.posix.join(...parts)) : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Returns the paths that an expression may be, also those that `path.resolve` and `process.cwd()` make of the working directory. As a part of a text,
 * they would be another path.
 */
export function pathsOf(node: AnyNode, scope: Scope): string[] | undefined {
  const [source, ...others] = (node.type === "Identifier" && scope.sources.get(node.name)) || [];
  if (
    typeof source === "object" &&
    "value" in source &&
    source.isUnset !== true &&
    others.length === 0 &&
    source.value.type === "CallExpression"
  )
    return pathsOf(source.value, scope);
  const name = node.type === "CallExpression" ? memberOf(node.callee, scope) : undefined;
  if (node.type !== "CallExpression" || !/^path\.(join|resolve)$/.test(name ?? "")) return valuesOf(node, scope);
  const [first, ...more] = node.arguments;
  const isHere = first?.type === "CallExpression" && memberOf(first.callee, scope) === "process.cwd";
  const isAbsolute = (part: string) => name === "path.resolve" && part.startsWith("/");
  const join = (parts: readonly string[]) =>
    path.posix.join(...(isHere && !parts.some(isAbsolute) ? ["."] : []), ...parts.slice(Math.max(parts.findLastIndex(isAbsolute), 0)));
  return joined(
    (isHere ? more : node.arguments).map((each) => valuesOf(each, scope)),
    (parts) => (parts.length > 0 ? join(parts) : "."),
  );
}

function valuesOfSource(source: Source, scope: Scope): string[] | undefined {
  if (typeof source !== "object") return undefined;
  if ("value" in source) return source.isUnset === true ? undefined : valuesOf(source.value, scope);
  if ("each" in source) return source.at === undefined ? valuesOfList(source.each, scope) : valuesOfColumn(source.each, source.at, scope);
  const { count, calls } = scope.uses.get(source.of) ?? { count: 0, calls: [] };
  const isOnlyCalled = count === calls.length + 1 && scope.sources.get(source.of)?.length === 1;
  const given = calls.map((each) => each[source.at]).map((each) => each && valuesOf(each, scope));
  return isOnlyCalled && !calls.flat().some(({ type }) => type === "SpreadElement") ? allOf(given) : undefined;
}

/** Returns the texts at one place of the lists in a list, or the keys of an object. */
function valuesOfColumn(each: AnyNode, at: number, scope: Scope): string[] | undefined {
  const object = objectListed(each);
  if (object) return at === 0 && !listsKeys(each) ? keysOf(object, scope) : undefined;
  // Another loop could change a list in the list.
  const list = each.type === "Identifier" && scope.uses.get(each.name)?.count === 2 ? listIn(each.name, scope) : each;
  if (list?.type !== "ArrayExpression") return undefined;
  const rows = list.elements.map((row) =>
    row?.type === "ArrayExpression" && !row.elements.some((value) => value?.type === "SpreadElement") ? row.elements : [],
  );
  return allOf(rows.map((row) => row[at] && valuesOf(row[at], scope)));
}

/** True for `Object.keys(a)`. */
const listsKeys = (node: AnyNode): boolean =>
  node.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  node.callee.property.type === "Identifier" &&
  node.callee.property.name === "keys";

/** Returns the names of the members of an object that the code writes, or holds in a variable with which it does nothing but list them. */
function keysOf(node: AnyNode, scope: Scope): string[] | undefined {
  const object = node.type === "Identifier" ? listIn(node.name, scope) : node;
  if (object?.type !== "ObjectExpression") return undefined;
  return allOf(
    object.properties.map((each) => {
      if (each.type !== "Property" || each.computed) return undefined;
      return each.key.type === "Identifier" ? [each.key.name] : valuesOf(each.key, scope);
    }),
  );
}

/** Returns the list in a variable with which the code does nothing but visit its elements. */
function listIn(name: string, scope: Scope): AnyNode | undefined {
  const [source, ...more] = scope.sources.get(name) ?? [];
  const { count, lists } = scope.uses.get(name) ?? { count: 0, lists: 0 };
  const isValue = typeof source === "object" && "value" in source && more.length === 0 && source.value.type !== "Identifier";
  return isValue && source.isUnset !== true && count === lists + 1 ? source.value : undefined;
}

/** Returns the texts in a list. A variable may hold the list if the code does nothing with it but visit its elements. */
function valuesOfList(list: AnyNode, scope: Scope): string[] | undefined {
  switch (list.type) {
    case "ArrayExpression":
      return allOf(list.elements.map((each) => each && valuesOf(each, scope)));
    case "Identifier": {
      const held = listIn(list.name, scope);
      return held && valuesOfList(held, scope);
    }
    case "CallExpression": {
      const object = objectListed(list);
      if (object) return listsKeys(list) ? keysOf(object, scope) : undefined;
      const { callee, arguments: given } = list;
      if (memberOf(callee, scope) === "fs.readdirSync") return given.length === 1 ? [ANY_NAME] : undefined;
      const isFilter =
        visitedList(list) !== undefined &&
        callee.type === "MemberExpression" &&
        callee.property.type === "Identifier" &&
        callee.property.name === "filter";
      return isFilter ? valuesOfList(callee.object, scope) : undefined;
    }
    default:
      return undefined;
  }
}
