/* oxlint-disable typescript/switch-exhaustiveness-check -- code with any other kind of node is refused or unknown */
import { builtinModules } from "node:module";
import {
  parse,
  type AnyNode,
  type BinaryExpression,
  type CallExpression,
  type Function,
  type MemberExpression,
  type Options,
  type Super,
} from "acorn";
import type { FilesOfCode } from "../programs/program-types.ts";
import {
  AFTER_COMPUTED,
  JAVASCRIPT_BANNED,
  JAVASCRIPT_FILES,
  JAVASCRIPT_NAMES,
  JAVASCRIPT_ROOTS,
  LEADING,
} from "../tables/harmless-identifiers.ts";
import { literal } from "../words/word.ts";
import { MAX_VISITS, usesMoved } from "./known-values.ts";
import { refuse } from "./unknown-code.ts";
import { type Scope, childrenOf, memberOf, moduleName, moduleOf, nameOfKey, nodesIn } from "./javascript-scope.ts";
import { recordFileCall, requiredFiles } from "./javascript-files.ts";
import { assignsOwn, isOwnObject } from "./javascript-objects.ts";
import { isNumber, isPlainLoop, numbersOf, ownNames, sourcesOf, usesOf } from "./javascript-sources.ts";
import { valuesOf } from "./javascript-values.ts";

/**
 * The use of a value that may come from an entry with a computed name, such as `a[k]`, and that may thus be a function like `constructor`.
 * `spent`: the code only prints, compares or counts it. `kept`: the code may call it. Otherwise the variable that holds it.
 */
type Use = "spent" | "kept" | { name: string };

/**
 * Returns the files that code for Node reads or writes. Undefined unless the code certainly only computes, prints, and uses files that it names.
 * Node takes the code as a script, and as a module if it is no valid script. `given`: the arguments of the code. `isModule`: a flag says that it is one.
 * `folder`: that of the file in which the code is.
 */
export function readJavaScript(code: string, given: readonly string[] = [], place: Place = {}): FilesOfCode | undefined {
  try {
    return filesOf(code, given, place);
  } catch {
    return undefined; // refused, or nested too deep
  }
}

type Place = { isModule?: boolean; folder?: string | undefined };

function filesOf(code: string, given: readonly string[], { isModule = false, folder = "." }: Place): FilesOfCode {
  let isStrange = false;
  const onComment = (_: boolean, __: string, start: number) => void (isStrange ||= HTML_COMMENT.test(code.slice(start)));
  const script = isModule ? undefined : parsed(code, { sourceType: "script", onComment });
  const program = script ?? parsed(code, { sourceType: "module" }) ?? refuse();
  if (isStrange || mayHaveTypes(program, code)) refuse();
  const sources = sourcesOf(program);
  const scope: Scope = {
    ...nothingKnown(),
    modules: new Map([...JAVASCRIPT_ROOTS.keys()].map((root) => [root, root])),
    taken: new Map(),
    computed: new Set(),
    sources,
    own: ownNames(program),
    numbers: numbersOf(sources),
    uses: usesOf(program),
    given: changesArguments(program) ? undefined : given,
    folder,
  };
  const known = () => scope.computed.size + scope.modules.size + scope.taken.size;
  // A name may have its meaning further down, so the last visit knows all names from the start.
  for (let before = -1, visits = 0; before < known(); visits += 1) {
    if (visits > MAX_VISITS) refuse();
    before = known();
    Object.assign(scope, nothingKnown());
    visit(program, "kept", scope);
  }
  if (usesMoved(scope.paths)) refuse();
  return { paths: scope.paths, imports: scope.imports };
}

const nothingKnown = () => ({ paths: [], imports: [], values: new Map() });

/** True if the code uses its arguments in any other way than by their numbers. */
function changesArguments(program: AnyNode): boolean {
  const isArguments = (node: AnyNode) =>
    node.type === "MemberExpression" && !node.computed && node.property.type === "Identifier" && node.property.name === "argv";
  const nodes = nodesIn(program);
  const all = nodes.filter(
    (node) => (node.type === "Identifier" && node.name === "argv") || (node.type === "Literal" && node.value === "argv"),
  );
  const read = nodes.filter((node) => node.type === "MemberExpression" && node.property.type === "Literal" && isArguments(node.object));
  return all.length !== read.length;
}

/** A comment in the form of HTML is code in a module. */
const HTML_COMMENT = /^(<!--|-->)/;

/** Returns the tree of a code, and undefined if Node would not take it. */
export function parsed(code: string, options: Omit<Options, "ecmaVersion">): AnyNode | undefined {
  try {
    return parse(code, { ecmaVersion: "latest", ...options });
  } catch {
    return undefined;
  }
}

/** Nodes whose parts are values that the code may call. */
const KEEPS = new Set(
  `Program BlockStatement EmptyStatement VariableDeclaration ReturnStatement BreakStatement ContinueStatement LabeledStatement ThrowStatement
  TryStatement ArrayExpression TemplateElement AwaitExpression YieldExpression SpreadElement`.split(/\s+/),
);
/** Nodes that only test, compare, count, print or ignore the values of their parts. */
const SPENDS = new Set(
  `BinaryExpression TemplateLiteral IfStatement WhileStatement DoWhileStatement ForStatement SwitchStatement SwitchCase`.split(/\s+/),
);

function visit(node: AnyNode, use: Use, scope: Scope): void {
  const visitAll = (nodes: readonly (AnyNode | null | undefined)[], each: Use) => {
    for (const child of nodes) if (child) visit(child, each, scope);
  };
  if (KEEPS.has(node.type)) return visitAll(childrenOf(node), "kept");
  if (node.type === "ExpressionStatement") return visitStatement(node.expression, scope);
  if (node.type === "BinaryExpression" && node.operator === "instanceof") {
    visit(node.left, "kept", scope);
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
      if (memberOf(node.right, scope) !== "process.stdin") visit(node.right, "spent", scope);
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
      return visitAll(node.quasi.expressions, "kept");
    case "ImportDeclaration":
      return visitImport(node, scope);
    default:
      return refuse();
  }
}

function visitStatement(node: AnyNode, scope: Scope): void {
  // TypeScript, as which Node reads code with errors, may take such a word as the start of a declaration that does nothing.
  if (node.type === "Identifier" && /^(declare|type|interface|namespace|abstract|global)$/.test(node.name)) refuse();
  if (node.type === "CallExpression" && isInputCall(node, scope)) visitInputCall(node, scope);
  else visit(node, "spent", scope);
}

/** True for a name, a member or a number. */
const isPlainOperand = (node: AnyNode): boolean =>
  /^(Identifier|MemberExpression)$/.test(node.type) || (node.type === "Literal" && typeof node.value === "number");

/** True if code may contain `a < b > (c)` or `a < b > /c/`, which is something else in TypeScript. */
function mayHaveTypes(program: AnyNode, code: string): boolean {
  const operations = nodesIn(program).filter((node) => node.type === "BinaryExpression");
  const isCall = ({ operator, left, right }: BinaryExpression) =>
    operator.includes(">") && !(isPlainOperand(right) && /^ *[>=]+ *[\w$]$/.test(code.slice(left.end, right.start + 1)));
  return operations.some(({ operator }) => operator.startsWith("<")) && operations.some(isCall);
}

/** A value of an entry with a computed name. */
function visitComputed(use: Use, scope: Scope): void {
  if (use === "kept") refuse();
  if (use !== "spent") scope.computed.add(use.name);
}

function visitName(name: string, use: Use, scope: Scope): void {
  const taken = scope.taken.get(name);
  if (scope.modules.has(name) || /^(fs(\/promises)?\.|assert\.|util\.|process\.(env|stdout|stdin)$)/.test(taken ?? "")) refuse();
  if (scope.computed.has(name)) visitComputed(use, scope);
  if (!PLAIN_NAMES.test(name)) checkOwnName(name, scope);
}

/** Names of values, and of functions that turn values into others. They may be arguments: `list.map(String)`. */
const PLAIN_NAMES =
  /^(undefined|NaN|Infinity|String|Number|Boolean|BigInt|parseInt|parseFloat|isNaN|isFinite|encodeURIComponent|decodeURIComponent)$/;

/** Refuses a name that has a meaning of its own in some version of Node. */
function checkOwnName(name: string, { own }: Pick<Scope, "own">): void {
  const isGlobal = !own.has(name) && (name in globalThis || builtinModules.includes(name));
  if (isGlobal || JAVASCRIPT_NAMES.has(name) || JAVASCRIPT_BANNED.has(name) || LEADING.test(name)) refuse();
}

/** Visits a variable or an entry that the code sets, or a pattern of them. */
function visitTarget(node: AnyNode, scope: Scope): void {
  switch (node.type) {
    case "Identifier":
      return JAVASCRIPT_ROOTS.has(node.name) || PLAIN_NAMES.test(node.name) ? refuse() : checkOwnName(node.name, scope);
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
  if (isComputed(node, scope) && !isOwnObject(object, scope)) refuse();
  visit(object, "kept", scope);
}

function visitKey({ key, computed }: { key: AnyNode; computed: boolean }, scope: Scope): void {
  if (nameOfKey(key, computed) === undefined) visit(key, "spent", scope);
}

function visitAssignment({ left, operator, right }: AnyNode & { type: "AssignmentExpression" }, use: Use, scope: Scope): void {
  const target: AnyNode = left;
  if (memberOf(target, scope) === "process.exitCode") return visit(right, use, scope);
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
function giveName(name: string, meaning: string, scope: Scope): void {
  const { modules, taken, sources } = scope;
  const [module = "", member] = meaning.split(".");
  const isFile = module.startsWith("fs") && JAVASCRIPT_FILES.has(member?.replace(/Sync$/, "") ?? "");
  if (member !== undefined && !isFile && JAVASCRIPT_ROOTS.get(module)?.has(member) !== true) refuse();
  if (name === "fs" && meaning === "fs/promises") return; // the gate takes both in the same way
  const former = modules.get(name) ?? taken.get(name) ?? meaning;
  if (former !== meaning || (sources.get(name)?.length ?? 0) > 1) refuse();
  if (!modules.has(name)) checkOwnName(name, scope);
  (member === undefined ? modules : taken).set(name, meaning);
}

function visitFunction(node: Function, scope: Scope): void {
  if (node.id) visitTarget(node.id, scope);
  for (const param of node.params) visitTarget(param, scope);
  visit(node.body, "kept", scope);
}

const isVariableOfEnvironment = (node: AnyNode, scope: Scope): boolean =>
  /^process\.env\.(?!TZDIR$|NODE_OPTIONS$)[A-Z]\w*$/.test(memberOf(node, scope) ?? "");

/** True for `a[k]`, unless `k` is a number or a name that the code writes. */
const isComputed = ({ computed, property }: MemberExpression, scope: Scope): boolean =>
  computed && property.type !== "Literal" && !isNumber(property, scope.numbers);

function visitMember(node: MemberExpression, use: Use, scope: Scope): void {
  const { object } = node;
  if (object.type === "Super" || node.property.type === "PrivateIdentifier") return refuse();
  const member = memberOf(node, scope);
  if (member !== undefined) {
    const [root = "", name = "", ...more] = member.split(".");
    const isEnvironment = name === "env" && (more[0] ?? "valueOf") in Object.prototype;
    const isHeld = /^(fs|util$|assert$)/.test(root) || /^(stdin|stdout)$/.test(name) || isEnvironment;
    if (!JAVASCRIPT_ROOTS.get(root)?.has(name) || isHeld) refuse();
    return;
  }
  const name = nameOfKey(node.property, node.computed);
  const isEntry = isComputed(node, scope);
  if (name === undefined) visit(node.property, "spent", scope);
  if (isEntry) visitComputed(use, scope);
  const isHarmless = name === undefined ? !isEntry : AFTER_COMPUTED.has(name);
  if (object.type !== "Identifier" || !JAVASCRIPT_NAMES.has(object.name)) visit(object, isHarmless ? "spent" : "kept", scope);
  else if (isEntry) refuse();
}

/** Functions that keep none of their arguments and call nothing of them. */
const SPENDING = /^((console|Math|path)\.\w+|JSON\.(parse|stringify))$/;

function visitCall(node: CallExpression, scope: Scope): void {
  const { callee, arguments: given } = node;
  const files = requiredFiles(node, scope);
  if (files) {
    scope.paths.push(...files.map((file) => ({ word: literal(file), use: "reads" as const })));
    scope.imports.push(...files);
    return;
  }
  const member = memberOf(callee, scope);
  if (member?.startsWith("fs") === true) {
    for (const data of recordFileCall(member.replace(/^.*\./, ""), given, scope)) visit(data, "spent", scope);
    return;
  }
  // These functions have members of their own, so they are only called.
  if (/^(assert|(assert|util)\.\w+)$/.test(member ?? "")) {
    const [root = "", name] = (member ?? "").split(".");
    if (name !== undefined && !JAVASCRIPT_ROOTS.get(root)?.has(name)) refuse();
    return given.forEach((each) => visit(each, "kept", scope));
  }
  if (member === "process.stdout.write") return given.forEach((each) => visit(each, given.length === 1 ? "spent" : "kept", scope));
  if (member === "Object.assign" && !assignsOwn(given, scope)) refuse();
  const isLoop = callee.type === "MemberExpression" && member === undefined && isPlainLoop(callee, given);
  if (isLoop) visit(callee.object, "spent", scope);
  else visitCallee(callee, scope);
  const isSpent = SPENDING.test(member ?? "") || (callee.type === "Identifier" && PLAIN_NAMES.test(callee.name));
  for (const each of given) visit(each, isSpent && (given.length === 1 || !member?.startsWith("JSON.")) ? "spent" : "kept", scope);
}

/** True for `process.stdin.on("data", f)`, perhaps with more such calls behind it. */
function isInputCall({ callee }: CallExpression, scope: Scope): boolean {
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return false;
  const isStream =
    callee.object.type === "CallExpression" ? isInputCall(callee.object, scope) : memberOf(callee.object, scope) === "process.stdin";
  return isStream && /^(on|once|setEncoding|resume)$/.test(callee.property.name);
}

function visitInputCall({ callee, arguments: given }: CallExpression, scope: Scope): void {
  if (callee.type === "MemberExpression" && callee.object.type === "CallExpression") visitInputCall(callee.object, scope);
  for (const each of given) visit(each, "kept", scope);
}

/** Errors may only be made. A new `prepareStackTrace` would lead to functions of Node. */
const ERRORS = /^(Error|TypeError|RangeError|SyntaxError)$/;

function visitCallee(callee: AnyNode | Super, scope: Scope): void {
  if (callee.type === "Super") refuse();
  const isBuiltin = callee.type === "Identifier" && (ERRORS.test(callee.name) || JAVASCRIPT_NAMES.has(callee.name));
  if (!isBuiltin) visit(callee, "kept", scope);
}
