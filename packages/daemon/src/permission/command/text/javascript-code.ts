import { builtinModules } from "node:module";
import path from "node:path";
import {
  parse,
  type AnyNode,
  type CallExpression,
  type Expression,
  type Function,
  type MemberExpression,
  type Options,
  type Pattern,
  type Super,
} from "acorn";
import { AFTER_COMPUTED, JAVASCRIPT_BANNED, JAVASCRIPT_NAMES, JAVASCRIPT_ROOTS, LEADING } from "../tables/harmless-identifiers.ts";
import type { FilesOfCode } from "../programs/program-types.ts";
import { literal } from "../words/word.ts";
import { joined, valuesOfName } from "./known-values.ts";

/**
 * A source of the value of a variable: an expression, an element of a list, or a number. Anything else is undefined.
 */
type Source = { value: AnyNode } | { each: AnyNode } | "number" | undefined;

/**
 * `modules`, `taken`: the names that the code gives to modules, and to what it takes from them. `computed`: variables whose value may come from an
 * entry with a computed name. `sources`: what each variable may hold.
 */
type Scope = FilesOfCode & {
  modules: Map<string, string>;
  taken: Map<string, string>;
  computed: Set<string>;
  sources: ReadonlyMap<string, readonly Source[]>;
  numbers: ReadonlySet<string>;
  values: Map<string, string[] | undefined>;
};

/**
 * The use of a value that may come from an entry with a computed name, such as `a[k]`, and that may thus be a function like `constructor`.
 * `spent`: the code only prints, compares or counts it. `kept`: the code may call it. Otherwise the variable that holds it.
 */
type Use = "spent" | "kept" | { name: string };

class UnknownCode extends Error {}

/** Refuses code that may do more than read, compute and print. */
function refuse(): never {
  throw new UnknownCode();
}

/**
 * Returns the files that code for Node reads or writes. Undefined unless the code certainly only computes, prints, and uses files that it names.
 * Node takes the code as a script, and as a module if it is no valid script.
 */
export function readJavaScript(code: string): FilesOfCode | undefined {
  let isStrange = false;
  const onComment = (_: boolean, __: string, start: number) => void (isStrange ||= HTML_COMMENT.test(code.slice(start)));
  const program = parsed(code, { sourceType: "script", onComment }) ?? parsed(code, { sourceType: "module" });
  if (!program || isStrange) return undefined;
  const sources = sourcesOf(program);
  const scope: Scope = {
    paths: [],
    imports: [],
    modules: new Map([...JAVASCRIPT_ROOTS.keys()].map((root) => [root, root])),
    taken: new Map(),
    computed: new Set(),
    sources,
    numbers: numbersOf(sources),
    values: new Map(),
  };
  const known = () => scope.computed.size + scope.modules.size + scope.taken.size;
  try {
    // A name may have its meaning further down, so the last visit knows all names from the start.
    for (let before = -1; before < known();) {
      before = known();
      Object.assign(scope, { paths: [], imports: [], values: new Map() });
      visit(program, "kept", scope);
    }
  } catch (error) {
    if (error instanceof UnknownCode || error instanceof RangeError) return undefined; // RangeError: too deep
    throw error;
  }
  return { paths: scope.paths, imports: scope.imports };
}

/** A comment in the form of HTML is code in a module. */
const HTML_COMMENT = /^(<!--|-->)/;

function parsed(code: string, options: Omit<Options, "ecmaVersion">): AnyNode | undefined {
  try {
    return parse(code, { ecmaVersion: "latest", ...options });
  } catch {
    return undefined;
  }
}

const isNode = (value: unknown): value is AnyNode => typeof value === "object" && value !== null && "type" in value;

const childrenOf = (node: AnyNode): AnyNode[] => Object.values(node).flat().filter(isNode);

/** Nodes whose parts are values that the code may call. */
const KEEPS = new Set(
  `Program BlockStatement EmptyStatement VariableDeclaration ReturnStatement BreakStatement ContinueStatement LabeledStatement ThrowStatement
  TryStatement ArrayExpression TemplateElement AwaitExpression YieldExpression`.split(/\s+/),
);
/** Nodes that only test, compare, count, print or ignore the values of their parts. */
const SPENDS = new Set(
  `ExpressionStatement BinaryExpression TemplateLiteral IfStatement WhileStatement DoWhileStatement ForStatement SwitchStatement SwitchCase
  SpreadElement`.split(/\s+/),
);

function visit(node: AnyNode, use: Use, scope: Scope): void {
  const visitAll = (nodes: readonly (AnyNode | null | undefined)[], each: Use) => {
    for (const child of nodes) if (child) visit(child, each, scope);
  };
  if (KEEPS.has(node.type)) return visitAll(childrenOf(node), "kept");
  if (node.type === "BinaryExpression" && node.operator === "instanceof") {
    visit(node.left, "spent", scope);
    return visitCallee(node.right, scope);
  }
  if (SPENDS.has(node.type)) return visitAll(childrenOf(node), "spent");
  switch (node.type) {
    case "Literal":
      return;
    case "Identifier":
      return visitName(node.name, use, scope);
    case "LogicalExpression":
    case "ChainExpression":
      return visitAll(childrenOf(node), use);
    case "ConditionalExpression":
      visit(node.test, "spent", scope);
      return visitAll([node.consequent, node.alternate], use);
    case "SequenceExpression":
      visitAll(node.expressions.slice(0, -1), "spent");
      return visitAll(node.expressions.slice(-1), use);
    case "UnaryExpression":
      return node.operator === "delete" ? visitTarget(node.argument, scope) : visit(node.argument, "spent", scope);
    case "UpdateExpression":
      return visitTarget(node.argument, scope);
    case "AssignmentExpression":
      return visitAssignment(node, use, scope);
    case "VariableDeclarator":
      return visitDeclarator(node, scope);
    case "ForInStatement":
    case "ForOfStatement":
      visit(node.right, "spent", scope);
      if (node.left.type === "VariableDeclaration") visit(node.left, "kept", scope);
      else visitTarget(node.left, scope);
      return visit(node.body, "kept", scope);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return visitFunction(node, scope);
    case "CatchClause":
      if (node.param) visitTarget(node.param, scope);
      return visit(node.body, "kept", scope);
    case "ObjectExpression":
      for (const property of node.properties) {
        if (property.type === "SpreadElement") visit(property, "kept", scope);
        else {
          visitKey(property, scope);
          visit(property.value, "kept", scope);
        }
      }
      return;
    case "MemberExpression":
      return visitMember(node, use, scope);
    case "NewExpression":
      visitCallee(node.callee, scope);
      return visitAll(node.arguments, "kept");
    case "CallExpression":
      return visitCall(node, scope);
    case "TaggedTemplateExpression":
      if (memberOf(node.tag, scope) !== "String.raw") refuse();
      return visit(node.quasi, "spent", scope);
    case "ImportDeclaration":
      return visitImport(node, scope);
    default:
      return refuse();
  }
}

/** A value of an entry with a computed name. */
function visitComputed(use: Use, scope: Scope): void {
  if (use === "kept") refuse();
  if (use !== "spent") scope.computed.add(use.name);
}

function visitName(name: string, use: Use, scope: Scope): void {
  const taken = scope.taken.get(name);
  if (scope.modules.has(name) || /^(fs\.|process\.(env|stdout)$)/.test(taken ?? "")) refuse();
  if (scope.computed.has(name)) visitComputed(use, scope);
  if (!PLAIN_NAMES.test(name)) checkOwnName(name);
}

/** Names of values, and of functions that turn values into others. They may be arguments: `list.map(String)`. */
const PLAIN_NAMES =
  /^(undefined|NaN|Infinity|String|Number|Boolean|BigInt|parseInt|parseFloat|isNaN|isFinite|encodeURIComponent|decodeURIComponent)$/;

/** Refuses a name that has a meaning of its own in some version of Node. */
function checkOwnName(name: string): void {
  const isGlobal = name in globalThis || builtinModules.includes(name);
  if (isGlobal || JAVASCRIPT_NAMES.has(name) || JAVASCRIPT_BANNED.has(name) || LEADING.test(name)) refuse();
}

/** Visits a variable or an entry that the code sets, or a pattern of them. */
function visitTarget(node: AnyNode, scope: Scope): void {
  switch (node.type) {
    case "Identifier":
      return JAVASCRIPT_ROOTS.has(node.name) ? refuse() : checkOwnName(node.name);
    case "MemberExpression":
      return visitEntry(node, scope);
    case "AssignmentPattern":
      visit(node.right, "kept", scope);
      return visitTarget(node.left, scope);
    case "RestElement":
      return visitTarget(node.argument, scope);
    case "ArrayPattern":
      for (const element of node.elements) if (element) visitTarget(element, scope);
      return;
    case "ObjectPattern":
      for (const property of node.properties) {
        if (property.type === "RestElement") visitTarget(property, scope);
        else {
          if (property.computed) refuse();
          visitKey(property, scope);
          visitTarget(property.value, scope);
        }
      }
      return;
    default:
      return refuse();
  }
}

/** Visits an entry that the code sets. The object must be one of its own. */
function visitEntry(node: MemberExpression, scope: Scope): void {
  const { object } = node;
  if (
    object.type === "Super" ||
    memberOf(object, scope) !== undefined ||
    (object.type === "Identifier" && JAVASCRIPT_NAMES.has(object.name))
  )
    refuse();
  visitKey({ key: node.property, computed: node.computed }, scope);
  visit(object, "kept", scope);
}

function visitKey({ key, computed }: { key: AnyNode; computed: boolean }, scope: Scope): void {
  if (nameOfKey(key, computed) === undefined) visit(key, "spent", scope);
}

/** Returns a name that the code writes as such. Refuses one that leads to code or to a caller. */
function nameOfKey(key: AnyNode, isComputed: boolean): string | undefined {
  const isPlain = (key.type === "Identifier" && !isComputed) || key.type === "Literal";
  const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
  if (isPlain && LEADING.test(name)) refuse();
  return isPlain ? name : undefined;
}

function visitAssignment({ left, operator, right }: AnyNode & { type: "AssignmentExpression" }, use: Use, scope: Scope): void {
  const target: AnyNode = left;
  if (memberOf(target, scope) === "process.exitCode") return visit(right, "spent", scope);
  if (isVariableOfEnvironment(target, scope)) {
    const values = valuesOf(right, scope);
    return values?.every((value) => /^\w[\w/+-]*$/.test(value)) === true ? undefined : refuse();
  }
  visitTarget(target, scope);
  const isOwnName = target.type === "Identifier";
  const keeps = /^(\|\||&&|\?\?)?=$/.test(operator); // others make a number or a text of both values
  visit(right, !keeps ? "spent" : isOwnName ? { name: target.name } : "kept", scope);
  // The value of `a[k] ||= b` may be the former one.
  if (operator !== "=" && keeps && target.type === "MemberExpression" && isComputed(target, scope)) visitComputed(use, scope);
  if (isOwnName && scope.computed.has(target.name)) visitComputed(use, scope);
}

function visitDeclarator({ id, init }: AnyNode & { type: "VariableDeclarator" }, scope: Scope): void {
  const module = init ? moduleOf(init, scope) : undefined;
  if (module === undefined) {
    visitTarget(id, scope);
    if (init) visit(init, id.type === "Identifier" ? { name: id.name } : "kept", scope);
  } else if (id.type === "Identifier") {
    giveName(id.name, module, scope);
  } else if (id.type === "ObjectPattern") {
    for (const property of id.properties) {
      const isPlain =
        property.type === "Property" && !property.computed && property.key.type === "Identifier" && property.value.type === "Identifier";
      if (!isPlain) refuse();
      giveName((property.value as { name: string }).name, `${module}.${(property.key as { name: string }).name}`, scope);
    }
  } else refuse();
}

function visitImport(node: AnyNode & { type: "ImportDeclaration" }, scope: Scope): void {
  const module = moduleName(node.source.value);
  if (module === undefined || (node.attributes ?? []).length > 0) return refuse();
  for (const each of node.specifiers) {
    const name = each.type === "ImportSpecifier" ? (each.imported.type === "Identifier" ? each.imported.name : refuse()) : undefined;
    giveName(each.local.name, name === undefined || name === "default" ? module : `${module}.${name}`, scope);
  }
}

/** Gives a name to a module or to what the code takes from it. Nothing else may have the name. */
function giveName(name: string, meaning: string, { modules, taken, sources }: Scope): void {
  const [module = "", member] = meaning.split(".");
  if (member !== undefined && JAVASCRIPT_ROOTS.get(module)?.has(member) !== true) refuse();
  const former = modules.get(name) ?? taken.get(name) ?? meaning;
  if (former !== meaning || (sources.get(name)?.length ?? 0) > 1) refuse();
  if (!modules.has(name)) checkOwnName(name);
  (member === undefined ? modules : taken).set(name, meaning);
}

/** Returns the module that the code requires or names here. */
function moduleOf(node: AnyNode, scope: Scope): string | undefined {
  if (node.type === "Identifier") return scope.modules.get(node.name);
  const isCall = node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "require";
  const [name, ...more] = isCall ? node.arguments : [];
  return name?.type === "Literal" && more.length === 0 ? moduleName(name.value) : undefined;
}

const moduleName = (value: unknown): string | undefined => /^(?:node:)?(fs|path|os|crypto)$/.exec(String(value))?.[1];

function visitFunction(node: Function, scope: Scope): void {
  if (node.id) visitTarget(node.id, scope);
  for (const param of node.params) visitTarget(param, scope);
  visit(node.body, "kept", scope);
}

/** Returns the member of a module or of a global object that the code names, such as `path.join`. A module itself is `path`. */
function memberOf(node: AnyNode | Super, scope: Scope): string | undefined {
  if (node.type === "Identifier") return scope.modules.get(node.name) ?? scope.taken.get(node.name);
  if (node.type === "CallExpression") return moduleOf(node, scope);
  if (node.type !== "MemberExpression" || node.object.type === "Super" || node.property.type === "PrivateIdentifier") return undefined;
  const object = memberOf(node.object, scope);
  const name = nameOfKey(node.property, node.computed);
  if (object === undefined)
    return node.object.type === "Identifier" && node.object.name === "String" && name === "raw" ? "String.raw" : undefined;
  return name === undefined ? refuse() : `${object}.${name}`;
}

const isVariableOfEnvironment = (node: AnyNode, scope: Scope): boolean => /^process\.env\.\w+$/.test(memberOf(node, scope) ?? "");

/** True for `a[k]`, unless `k` is a number or a name that the code writes. */
const isComputed = ({ computed, property }: MemberExpression, scope: Scope): boolean =>
  computed && property.type !== "Literal" && !isNumber(property, scope.numbers);

function visitMember(node: MemberExpression, use: Use, scope: Scope): void {
  const { object } = node;
  if (object.type === "Super" || node.property.type === "PrivateIdentifier") return refuse();
  const member = memberOf(node, scope);
  if (member !== undefined) {
    const [root = "", name = "", ...more] = member.split(".");
    if (!JAVASCRIPT_ROOTS.get(root)?.has(name) || root === "fs" || (name === "env" && more.length === 0)) refuse();
    return;
  }
  const name = nameOfKey(node.property, node.computed);
  const isEntry = isComputed(node, scope);
  if (name === undefined) visit(node.property, "spent", scope);
  if (isEntry) visitComputed(use, scope);
  const isHarmless = name === undefined ? !isEntry : isHarmlessMember(name);
  if (object.type !== "Identifier" || !JAVASCRIPT_NAMES.has(object.name)) visit(object, isHarmless ? "spent" : "kept", scope);
  else if (isEntry) refuse();
}

/** True for a member that leads to no function which changes other objects, whatever builtin object it belongs to. */
const isHarmlessMember = (name: string): boolean =>
  AFTER_COMPUTED.has(name) || !(name in Array.prototype || name in Object || name in Function.prototype);

/** Functions that keep none of their arguments and call nothing of them. */
const SPENDING = /^((console|Math|JSON|path)\.\w+|Object\.(keys|values|entries|is)|process\.stdout\.write)$/;
function visitCall(node: CallExpression, scope: Scope): void {
  const { callee, arguments: given } = node;
  const file = callee.type === "Identifier" && callee.name === "require" ? requiredFile(node, scope) : undefined;
  if (file !== undefined) {
    scope.paths.push({ word: literal(file), use: "reads" });
    scope.imports.push(file);
    return;
  }
  const member = memberOf(callee, scope);
  if (member?.startsWith("fs.") === true) return visitFileCall(member.slice(3), given, scope);
  if (member === "process.stdout.write") return given.forEach((each) => visit(each, "spent", scope));
  const isLoop = callee.type === "MemberExpression" && member === undefined && isPlainLoop(callee, given);
  if (isLoop) visit(callee.object, "spent", scope);
  else visitCallee(callee, scope);
  const isSpent = SPENDING.test(member ?? "") || (callee.type === "Identifier" && PLAIN_NAMES.test(callee.name));
  for (const each of given) visit(each, isSpent ? "spent" : "kept", scope);
}

/** True for `a.map((x, i) => …)`. With more parameters, the function would get the object itself. */
function isPlainLoop({ object, property, computed }: MemberExpression, [each]: readonly AnyNode[]): boolean {
  const isMethod =
    !computed && property.type === "Identifier" && /^(map|flatMap|filter|forEach|some|every|find|findIndex)$/.test(property.name);
  const isOwn =
    each?.type === "ArrowFunctionExpression" && each.params.length < 3 && !each.params.some(({ type }) => type === "RestElement");
  return isMethod && isOwn && object.type !== "Super";
}

/** Errors may only be made. A new `prepareStackTrace` would lead to functions of Node. */
const ERRORS = /^(Error|TypeError|RangeError|SyntaxError)$/;

function visitCallee(callee: AnyNode | Super, scope: Scope): void {
  if (callee.type === "Super") refuse();
  const isBuiltin = callee.type === "Identifier" && (ERRORS.test(callee.name) || JAVASCRIPT_NAMES.has(callee.name));
  if (!isBuiltin) visit(callee, "kept", scope);
}

/** Returns the JSON file that the code requires. */
function requiredFile({ arguments: [file, ...more] }: CallExpression, scope: Scope): string | undefined {
  const values = file && more.length === 0 ? valuesOf(file, scope) : undefined;
  return values?.length === 1 && /^\.{0,2}\/.*\.json$/.test(values[0] ?? "") ? values[0] : undefined;
}

/**
 * Records `fs.readFileSync("a.json", "utf8")` and `fs.writeFileSync("a.json", text)`. An object in place of `"utf8"` could make the first function
 * write.
 */
function visitFileCall(name: string, given: readonly AnyNode[], scope: Scope): void {
  const [file, ...more] = given;
  const isWrite = /^(write|append)/.test(name);
  if (!JAVASCRIPT_ROOTS.get("fs")?.has(name) || !file) return refuse();
  const files = file.type === "Literal" && file.value === 0 ? ["/dev/stdin"] : valuesOf(file, scope);
  const isPlain = more.slice(isWrite ? 1 : 0).every(isEncoding);
  if (!files || !isPlain || more.length > (isWrite ? 2 : 1) || (isWrite && more[0]?.type === "SpreadElement")) return refuse();
  for (const each of files) {
    if (each === "" || /^\w+:/.test(each)) refuse(); // it may be an address to Node
    scope.paths.push({ word: literal(each), use: isWrite ? "writes" : name === "readFileSync" ? "reads" : "names" });
  }
  for (const each of isWrite ? more.slice(0, 1) : []) visit(each, "spent", scope);
}

/** True for `"utf8"` and `{ encoding: "utf8" }`. */
function isEncoding(node: AnyNode): boolean {
  if (node.type !== "ObjectExpression") return node.type === "Literal" && typeof node.value === "string";
  return node.properties.every(
    (each) =>
      each.type === "Property" &&
      !each.computed &&
      each.key.type === "Identifier" &&
      each.key.name === "encoding" &&
      isEncoding(each.value),
  );
}

/** Returns what each variable may hold. */
function sourcesOf(program: AnyNode): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  const add = (pattern: AnyNode | null | undefined, source: Source): void => {
    if (pattern?.type === "Identifier") sources.set(pattern.name, [...(sources.get(pattern.name) ?? []), source]);
    else if (pattern && pattern.type !== "MemberExpression")
      for (const child of pattern.type === "Property"
        ? [pattern.value]
        : pattern.type === "AssignmentPattern"
          ? [pattern.left]
          : childrenOf(pattern))
        add(child, undefined);
  };
  const collect = (node: AnyNode): void => {
    switch (node.type) {
      case "VariableDeclarator":
        if (node.init) add(node.id, { value: node.init });
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
        const target: AnyNode | null | undefined = node.left.type === "VariableDeclaration" ? node.left.declarations[0]?.id : node.left;
        add(target, node.type === "ForOfStatement" ? { each: node.right } : undefined);
        break;
      }
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        for (const each of [node.id, ...node.params]) add(each, undefined);
        break;
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

/** Returns the variables that only hold numbers. */
function numbersOf(sources: ReadonlyMap<string, readonly Source[]>): Set<string> {
  const numbers = new Set(sources.keys());
  const isNumeric = (source: Source) =>
    source === "number" || (source !== undefined && "value" in source && isNumber(source.value, numbers));
  for (let size = -1; size !== numbers.size;) {
    size = numbers.size;
    for (const [name, all] of sources) if (!all.every(isNumeric)) numbers.delete(name);
  }
  return numbers;
}

/** True for a value that is surely a number, so that no method has its name. */
function isNumber(node: AnyNode, numbers: ReadonlySet<string>): boolean {
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

/** Returns the texts that an expression may be. Undefined if they are not certain. */
function valuesOf(node: AnyNode, scope: Scope): string[] | undefined {
  const valuesIn = (each: AnyNode) => valuesOf(each, scope);
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : undefined;
    case "TemplateLiteral":
      return joined(node.quasis.flatMap(({ value }, i) => [[value.cooked ?? ""], ...node.expressions.slice(i, i + 1).map(valuesIn)]));
    case "BinaryExpression":
      return node.operator === "+" ? joined([valuesIn(node.left), valuesIn(node.right)]) : undefined;
    case "Identifier":
      return valuesOfName(node.name, scope.values, () => valuesOfSource(scope.sources.get(node.name), scope));
    case "CallExpression": {
      const isJoin = memberOf(node.callee, scope) === "path.join" && node.arguments.length > 0;
      return isJoin ? joined(node.arguments.map(valuesIn), (parts) => path.posix.join(...parts)) : undefined;
    }
    default:
      return undefined;
  }
}

function valuesOfSource([source, ...more]: readonly Source[] = [], scope: Scope): string[] | undefined {
  if (source === undefined || source === "number" || more.length > 0) return undefined;
  if ("value" in source) return valuesOf(source.value, scope);
  const list = source.each.type === "ArrayExpression" ? source.each.elements.map((each) => each && valuesOf(each, scope)) : [undefined];
  return list.every((each) => each) ? list.flatMap((each) => each ?? []) : undefined;
}
