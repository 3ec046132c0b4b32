import type { AnyNode, Super } from "acorn";
import type { FilesOfCode } from "../programs/program-types.ts";
import { EVENTS, LEADING } from "../tables/harmless-identifiers.ts";
import { refuse } from "./unknown-code.ts";

/**
 * A source of the value of a variable: an expression, an element of a list or the element `at` of that, what calls of a function give to its parameter
 * `at`, or a number. It may be `unset` before that. Anything else is undefined.
 */
export type Source =
  | { value: AnyNode; isUnset?: boolean }
  | { each: AnyNode; at?: number }
  | { of: string; at: number }
  | "number"
  | "unset"
  | undefined;

/**
 * `modules`, `taken`: the names that the code gives to modules, and to what it takes from them. `computed`: variables whose value may come from an
 * entry with a computed name. `own`: names that mean nothing but a variable of the code, everywhere in it. `sources`: what each variable may hold.
 * `uses`: how the code uses each name. `given`: the arguments of the code. `folder`: `__dirname`.
 */
export type Scope = FilesOfCode & {
  modules: Map<string, string>;
  taken: Map<string, string>;
  computed: Set<string>;
  own: ReadonlySet<string>;
  sources: ReadonlyMap<string, readonly Source[]>;
  numbers: ReadonlySet<string>;
  uses: ReadonlyMap<string, Uses>;
  given: readonly string[] | undefined;
  folder: string;
  values: Map<string, string[] | undefined>;
};

const isNode = (value: unknown): value is AnyNode => typeof value === "object" && value !== null && "type" in value;

export const childrenOf = (node: AnyNode): AnyNode[] => Object.values(node).flat().filter(isNode);

export const nodesIn = (node: AnyNode): AnyNode[] => [node, ...childrenOf(node).flatMap(nodesIn)];

/** Returns a name that the code writes as such. Refuses one that leads to code or to a caller. */
export function nameOfKey(key: AnyNode, isComputed: boolean): string | undefined {
  const isPlain = (key.type === "Identifier" && !isComputed) || key.type === "Literal";
  const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
  if (isPlain && (LEADING.test(name) || EVENTS.test(name))) refuse();
  return isPlain ? name : undefined;
}

/** Returns the module that the code requires or names here. */
export function moduleOf(node: AnyNode, scope: Scope): string | undefined {
  if (node.type === "Identifier") return scope.modules.get(node.name);
  const isCall = node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "require";
  const [name, ...more] = isCall ? node.arguments : [];
  if (node.type === "MemberExpression" && memberOf(node, scope) === "fs.promises") return "fs/promises";
  return name?.type === "Literal" && more.length === 0 ? moduleName(name.value) : undefined;
}

export const moduleName = (value: unknown): string | undefined =>
  /^(?:node:)?(fs|fs\/promises|path|os|crypto|util|assert)$/.exec(String(value).replace(/^(node:)?assert\/strict$/, "assert"))?.[1];

/** Returns the member of a module or of a global object that the code names, such as `path.join`. A module itself is `path`. */
export function memberOf(node: AnyNode | Super, scope: Scope): string | undefined {
  if (node.type === "Identifier") return scope.modules.get(node.name) ?? scope.taken.get(node.name);
  if (node.type === "CallExpression") return moduleOf(node, scope);
  if (node.type !== "MemberExpression" || node.object.type === "Super" || node.property.type === "PrivateIdentifier") return undefined;
  const object = memberOf(node.object, scope);
  const name = nameOfKey(node.property, node.computed);
  if (object === undefined)
    return node.object.type === "Identifier" && node.object.name === "String" && name === "raw" ? "String.raw" : undefined;
  return name === undefined ? refuse() : `${object}.${name}`;
}

/** How often the code uses a name, how often as a list whose elements it visits, and the arguments of each call of it. */
export type Uses = { count: number; lists: number; calls: (readonly AnyNode[])[] };
