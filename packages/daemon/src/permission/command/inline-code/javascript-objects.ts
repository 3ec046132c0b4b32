import type { AnyNode } from "acorn";
import { requiredFiles } from "./javascript-files.ts";
import { type Scope, memberOf, nameOfKey } from "./javascript-scope.ts";

/** True for an object or a list that the code itself makes, or reads as JSON. Others, such as a stream, have members that node uses. */
export function isOwnObject(node: AnyNode, scope: Scope): boolean {
  if (node.type === "MemberExpression") return nameOfKey(node.property, node.computed) !== undefined && isParsed(node.object, scope);
  if (node.type === "CallExpression") return isParsed(node, scope);
  if (node.type !== "Identifier") return /^(Object|Array)Expression$/.test(node.type);
  const sources = scope.sources.get(node.name) ?? [];
  return (
    sources.length > 0 &&
    sources.every((source) => typeof source === "object" && "value" in source && node !== source.value && isOwnObject(source.value, scope))
  );
}

/** True for what the code reads as JSON, and for a part of it. */
function isParsed(node: AnyNode, scope: Scope): boolean {
  if (node.type === "MemberExpression") return nameOfKey(node.property, node.computed) !== undefined && isParsed(node.object, scope);
  if (node.type === "CallExpression")
    return (memberOf(node.callee, scope) === "JSON.parse" && node.arguments.length === 1) || requiredFiles(node, scope) !== undefined;
  const sources = (node.type === "Identifier" && scope.sources.get(node.name)) || [];
  return (
    sources.length > 0 &&
    sources.every((source) => typeof source === "object" && "value" in source && node !== source.value && isParsed(source.value, scope))
  );
}

/** True if `Object.assign` changes an object of the code, with names that the code writes. */
export const assignsOwn = ([target, ...sources]: readonly AnyNode[], scope: Scope): boolean =>
  target !== undefined &&
  isOwnObject(target, scope) &&
  !sources.some(
    (each) => each.type === "ObjectExpression" && each.properties.some((property) => property.type === "Property" && property.computed),
  );
