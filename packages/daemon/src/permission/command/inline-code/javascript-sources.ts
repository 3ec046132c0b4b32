/* oxlint-disable typescript/switch-exhaustiveness-check -- code with any other kind of node is refused or unknown */
import type { AnyNode, CallExpression, MemberExpression, Super } from "acorn";
import { MAX_VISITS } from "./known-values.ts";
import { type Source, type Uses, childrenOf, nodesIn } from "./javascript-scope.ts";

/** True for `a.map((x, i) => …)`. With more parameters, the function would get the object itself. */
export function isPlainLoop({ object, property, computed }: MemberExpression, [each]: readonly AnyNode[]): boolean {
  const isMethod =
    !computed && property.type === "Identifier" && /^(map|flatMap|filter|forEach|some|every|find|findIndex)$/.test(property.name);
  const isOwn =
    each?.type === "ArrowFunctionExpression" && each.params.length < 3 && !each.params.some(({ type }) => type === "RestElement");
  return isMethod && isOwn && object.type !== "Super";
}

export function usesOf(program: AnyNode): Map<string, Uses> {
  const uses = new Map<string, Uses>();
  const usesOfName = (name: string): Uses => {
    const found = uses.get(name) ?? { count: 0, lists: 0, calls: [] };
    uses.set(name, found);
    return found;
  };
  const collect = (node: AnyNode): void => {
    if (node.type === "Identifier") usesOfName(node.name).count += 1;
    const visited = node.type === "ForOfStatement" ? node.right : node.type === "CallExpression" ? visitedList(node) : undefined;
    const name = visited && nameOfList(visited);
    if (name !== undefined) usesOfName(name).lists += 1;
    if (node.type === "CallExpression" && node.callee.type === "Identifier") usesOfName(node.callee.name).calls.push(node.arguments);
    for (const child of childrenOf(node)) collect(child);
  };
  collect(program);
  return uses;
}

/** Returns the variable in `a`, `Object.keys(a)` and `Object.entries(a)`. */
const nameOfList = (node: AnyNode): string | undefined => {
  const object = objectListed(node) ?? node;
  return object.type === "Identifier" ? object.name : undefined;
};

/** Returns the object in `Object.keys(a)` and `Object.entries(a)`. */
export function objectListed(node: AnyNode): AnyNode | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.computed) return undefined;
  const { object, property } = node.callee;
  const isList =
    object.type === "Identifier" && object.name === "Object" && property.type === "Identifier" && /^(keys|entries)$/.test(property.name);
  return isList && node.arguments.length === 1 ? node.arguments[0] : undefined;
}

/** Returns the list in `list.map((each) => …)`, where the function gets nothing but the element and its place. */
export const visitedList = (node: CallExpression): AnyNode | undefined =>
  node.callee.type === "MemberExpression" && node.callee.object.type !== "Super" && isPlainLoop(node.callee, node.arguments)
    ? node.callee.object
    : undefined;

/** Returns the names that the code declares around all of it. They hide global names from the start. */
export const ownNames = (program: AnyNode): Set<string> =>
  new Set(
    childrenOf(program).flatMap((node) =>
      node.type === "VariableDeclaration" && node.kind !== "var"
        ? node.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
        : [],
    ),
  );

/** Returns what each variable may hold. */
export function sourcesOf(program: AnyNode): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  const add = (pattern: AnyNode | null | undefined, source: Source): void => {
    if (pattern?.type === "Identifier") sources.set(pattern.name, [...(sources.get(pattern.name) ?? []), source]);
    else if (pattern?.type === "ArrayPattern" && typeof source === "object" && "each" in source && source.at === undefined)
      for (const [at, element] of pattern.elements.entries()) add(element, { each: source.each, at });
    else if (pattern && pattern.type !== "MemberExpression")
      for (const child of pattern.type === "Property"
        ? [pattern.value]
        : pattern.type === "AssignmentPattern"
          ? [pattern.left]
          : childrenOf(pattern))
        add(child, undefined);
  };
  const hoisted = new Set<AnyNode>(); // declarations with `var`, which have no value above them
  const loops = new Set<AnyNode | undefined>(); // the declarations in the heads of loops, which have no value of their own
  // An object of the code may have a function of this name.
  const hasReduce = nodesIn(program).some(
    (node) =>
      (node.type === "Property" && isNamed(node.key, "reduce")) ||
      (node.type === "AssignmentExpression" && node.left.type === "MemberExpression" && isNamed(node.left.property, "reduce")),
  );
  const callers = new Map<AnyNode, { of?: string; each?: AnyNode; start?: AnyNode }>();
  const collect = (node: AnyNode): void => {
    if (node.type === "FunctionDeclaration" && node.id) callers.set(node, { of: node.id.name });
    switch (node.type) {
      case "VariableDeclaration":
        if (node.kind === "var") for (const each of node.declarations) hoisted.add(each);
        break;
      case "VariableDeclarator":
        if (node.init) add(node.id, { value: node.init, isUnset: hoisted.has(node) });
        else if (!loops.has(node)) add(node.id, "unset");
        if (node.init?.type === "ArrowFunctionExpression" && node.id.type === "Identifier") callers.set(node.init, { of: node.id.name });
        break;
      case "AssignmentExpression":
        add(
          node.left,
          node.operator === "=" || node.operator === "+=" ? { value: node.right } : /^[-*/%]/.test(node.operator) ? "number" : undefined,
        );
        if (node.operator === "+=") add(node.left, node.left.type === "Identifier" ? "number" : undefined);
        break;
      case "UpdateExpression":
        add(node.argument, "number");
        break;
      case "ForInStatement":
      case "ForOfStatement": {
        if (node.left.type === "VariableDeclaration") loops.add(node.left.declarations[0]);
        const target: AnyNode | null | undefined = node.left.type === "VariableDeclaration" ? node.left.declarations[0]?.id : node.left;
        add(target, node.type === "ForOfStatement" ? { each: node.right } : undefined);
        if (node.left.type === "VariableDeclaration" && node.left.kind === "var") add(target, "unset");
        break;
      }
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression": {
        if (node.id) add(node.id, undefined);
        const { of, each, start } = callers.get(node) ?? {};
        for (const [at, param] of node.params.entries()) {
          const element = each ? { each } : start && { value: start };
          add(param, element ? (at === 0 ? element : undefined) : of === undefined ? undefined : { of, at });
        }
        break;
      }
      case "CallExpression": {
        const [list, callback] = [visitedList(node), node.arguments[0]];
        if (list && callback) callers.set(callback, { each: list });
        const start = node.arguments[1];
        const isObject = start?.type === "ObjectExpression" || start?.type === "ArrayExpression";
        if (callback && isObject && !hasReduce && isReduce(node.callee) && keepsFirst(callback)) callers.set(callback, { start });
        break;
      }
      case "CatchClause":
        add(node.param, undefined);
        break;
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        add(node.local, undefined);
        break;
      default:
    }
    for (const child of childrenOf(node)) collect(child);
  };
  collect(program);
  return sources;
}

const isNamed = (key: AnyNode, name: string): boolean =>
  (key.type === "Identifier" && key.name === name) || (key.type === "Literal" && key.value === name);

const isReduce = (callee: AnyNode | Super): boolean =>
  callee.type === "MemberExpression" && !callee.computed && callee.property.type === "Identifier" && callee.property.name === "reduce";

/** True for a function such as `(sum, x) => { …; return sum }`, which always returns its first parameter. */
function keepsFirst(node: AnyNode): boolean {
  if (node.type !== "ArrowFunctionExpression" || node.async) return false;
  const [first] = node.params;
  const isFirst = (each: AnyNode | null | undefined) =>
    first?.type === "Identifier" && each?.type === "Identifier" && each.name === first.name;
  if (node.body.type !== "BlockStatement") return node.body.type === "SequenceExpression" && isFirst(node.body.expressions.at(-1));
  const returns = nodesIn(node.body).filter((each) => each.type === "ReturnStatement");
  return node.body.body.at(-1)?.type === "ReturnStatement" && returns.every(({ argument }) => isFirst(argument));
}

/** Returns the variables that only hold numbers. */
export function numbersOf(sources: ReadonlyMap<string, readonly Source[]>): Set<string> {
  const numbers = new Set(sources.keys());
  const isNumeric = (source: Source) =>
    source === "number" || source === "unset" || (source !== undefined && "value" in source && isNumber(source.value, numbers));
  for (let size = -1, visits = 0; size !== numbers.size; visits += 1) {
    if (visits > MAX_VISITS) numbers.clear();
    size = numbers.size;
    for (const [name, all] of sources) if (!all.every(isNumeric)) numbers.delete(name);
  }
  return numbers;
}

/** True for a value that is surely a number, so that no method has its name. */
export function isNumber(node: AnyNode, numbers: ReadonlySet<string>): boolean {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "number";
    case "Identifier":
      return numbers.has(node.name);
    case "UnaryExpression":
      return /^[-+~]$/.test(node.operator);
    case "UpdateExpression":
      return true;
    case "BinaryExpression":
      return (
        /^(-|\*\*?|\/|%|[|&^]|<<|>>>?)$/.test(node.operator) ||
        (node.operator === "+" && [node.left, node.right].every((each) => isNumber(each, numbers)))
      );
    case "ConditionalExpression":
      return [node.consequent, node.alternate].every((each) => isNumber(each, numbers));
    default:
      return false;
  }
}
