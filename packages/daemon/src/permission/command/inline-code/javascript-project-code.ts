/* oxlint-disable typescript/switch-exhaustiveness-check -- code with any other kind of node is refused */
import { builtinModules } from "node:module";
import type { AnyNode, CallExpression, MemberExpression, NewExpression } from "acorn";
import type { ProjectCode } from "../programs/program-types.ts";
import { JAVASCRIPT_BANNED, LEADING } from "../tables/harmless-identifiers.ts";
import { parsed } from "./javascript-code.ts";
import { childrenOf } from "./javascript-scope.ts";
import { COMPUTES_TEXT, isPlainMember, isPlainText } from "./project-code.ts";
import { refuse } from "./unknown-code.ts";

type Scope = Pick<ProjectCode, "modules" | "names" | "members" | "texts"> & {
  own: Set<string>;
  /** Names of modules of the project. */
  imported: Set<string>;
  errors: Set<string>;
  isTest: boolean;
  /** How many functions are around. */
  depth: number;
};

/**
 * Returns the modules of the project that code for Node loads, and the texts that it uses. Undefined unless it certainly does nothing but call
 * functions of the project with values that it shows, and print or compare the results. `isTest`: it is a test, or a part of one, and its other names are
 * from the rest of the file and from the test runner.
 */
export function readJavaScriptProject(code: string, { isModule = false, isTest = false } = {}): ProjectCode | undefined {
  try {
    const script = isModule ? undefined : parsed(code, { sourceType: "script" });
    const program = script ?? parsed(code, { sourceType: "module" }) ?? refuse();
    if (/<!--|-->/.test(code) || (isTest && /@\w*(vitest|jest|jsx)/.test(code))) refuse(); // test runners obey comments
    const scope: Scope = {
      modules: [],
      names: [],
      members: [],
      texts: [],
      own: new Set(),
      imported: new Set(),
      errors: new Set(),
      isTest,
      depth: 0,
    };
    takeNames(program, scope);
    visit(program, scope, false);
    return scope.modules.length > 0 || isTest
      ? {
          language: "node",
          searched: [],
          standard: [],
          modules: scope.modules,
          names: scope.names,
          members: scope.members,
          texts: scope.texts,
        }
      : undefined;
  } catch {
    return undefined; // refused, or nested too deep
  }
}

/** Nodes that do nothing but what their own parts do. */
const NEUTRAL = new Set(
  `Program BlockStatement EmptyStatement VariableDeclaration VariableDeclarator ReturnStatement BreakStatement ContinueStatement ArrayExpression ObjectExpression
  AwaitExpression ConditionalExpression LogicalExpression ChainExpression ParenthesizedExpression`.split(/\s+/),
);
/** Objects of the language, with members that compute no texts other than those which the code prints. */
const OBJECTS: Readonly<Record<string, ReadonlySet<string>>> = {
  console: new Set("log error warn info debug table dir assert time timeEnd".split(" ")),
  JSON: new Set(["stringify"]),
  assert: new Set("ok equal notEqual strictEqual notStrictEqual deepEqual deepStrictEqual throws rejects".split(" ")),
  performance: new Set(["now"]),
  process: new Set(["exit"]),
  Promise: new Set(["all", "resolve"]),
  Object: new Set(["keys", "values", "entries"]),
};

/** Records the names that the code gives to values. */
function takeNames(node: AnyNode, scope: Scope): void {
  const { own, names } = scope;
  const take = (target: AnyNode, isModule = false): void => {
    if (isModule && target.type === "Identifier") scope.imported.add(target.name);
    switch (target.type) {
      case "Identifier":
        if (target.name === "assert") return; // the module of Node, or one of the project
        if (!isOwnName(target.name) || RUNNER_NAMES.test(target.name)) refuse();
        own.add(target.name);
        names.push(target.name);
        return;
      case "ObjectPattern":
        for (const each of target.properties) {
          if (
            each.type !== "Property" ||
            each.computed ||
            each.key.type !== "Identifier" ||
            !isMember(each.key.name) ||
            COMPUTES_TEXT.has(each.key.name)
          )
            return refuse();
          names.push(each.key.name);
          if (isModule) scope.members.push(each.key.name);
          take(each.value);
        }
        return;
      case "ArrayPattern":
        for (const each of target.elements) if (each) take(each);
        return;
      default:
        return refuse();
    }
  };
  if (node.type === "ImportDeclaration" && isRunner(node.source.value)) return checkRunner(node.specifiers);
  if (node.type === "VariableDeclarator") {
    const loaded = node.init && loadedBy(node.init);
    if (typeof loaded === "string" && ASSERT.test(loaded) && (node.id.type !== "Identifier" || node.id.name !== "assert")) refuse();
    take(node.id, loaded !== undefined && loaded !== null);
  }
  if (node.type === "FunctionDeclaration") take(node.id ?? refuse());
  if (node.type === "FunctionDeclaration" || node.type === "ArrowFunctionExpression")
    for (const each of node.params) take(each, scope.imported.has(LOADED_MODULE));
  if (node.type === "CallExpression" && node.callee.type === "MemberExpression" && node.callee.object.type === "ImportExpression") {
    takeNames(node.callee.object, scope);
    scope.imported.add(LOADED_MODULE); // the function gets the module
    for (const each of node.arguments) takeNames(each, scope);
    scope.imported.delete(LOADED_MODULE);
    return;
  }
  if (node.type === "CallExpression" && node.callee.type === "MemberExpression" && memberName(node.callee) === "catch")
    for (const each of node.arguments)
      if (each.type === "ArrowFunctionExpression" && each.params[0]?.type === "Identifier") scope.errors.add(each.params[0].name);
  if (node.type === "CatchClause" && node.param) {
    if (node.param.type !== "Identifier") return refuse();
    take(node.param);
    scope.errors.add(node.param.name);
  }
  if (node.type === "ImportSpecifier") take(node.local);
  if (node.type === "ImportDefaultSpecifier" || node.type === "ImportNamespaceSpecifier") take(node.local, true);
  for (const child of childrenOf(node)) takeNames(child, scope);
}

/** Marks that the parameters of a function are modules. */
const LOADED_MODULE = "import()";

/** Returns the module that an expression loads. */
function loadedBy(node: AnyNode): unknown {
  if (node.type === "AwaitExpression") return loadedBy(node.argument);
  if (node.type === "ImportExpression") return node.source.type === "Literal" ? node.source.value : refuse();
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "require") return undefined;
  return node.arguments[0]?.type === "Literal" ? node.arguments[0].value : refuse();
}

/** Names that belong to test runners. */
const RUNNER_NAMES = /^(expect|vi|vitest|jest|page|browser|context|cy|Cypress|XMLHttpRequest|WebSocket|Function)$/;
const isRunner = (name: unknown): boolean => typeof name === "string" && (TEST_RUNNERS.has(name) || ASSERT.test(name));

/** The names of a test runner stay as they are. */
function checkRunner(specifiers: readonly AnyNode[]): void {
  for (const each of specifiers) {
    const isSame = each.type === "ImportSpecifier" && each.imported.type === "Identifier" && each.imported.name === each.local.name;
    if (!isSame && !(each.type === "ImportDefaultSpecifier" && each.local.name === "assert")) refuse();
  }
}

const isOwnName = (name: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(name) &&
  !name.includes("__") &&
  !(name in globalThis) &&
  !JAVASCRIPT_BANNED.has(name) &&
  !builtinModules.includes(name) &&
  name !== "eval";

/** True for a name without a meaning in Node, which the rest of a test may define. */
const isFree = (name: string): boolean => isOwnName(name) && isMember(name) && !RUNNER_NAMES.test(name);

/** True for a member that leads to no code, program or module. */
const isMember = (name: string): boolean => isPlainMember(name) && !LEADING.test(name) && !builtinModules.includes(name);

/** `isShown`: the code only prints, compares or tests the value, so it may be computed in any way. */
function visit(node: AnyNode, scope: Scope, isShown: boolean): void {
  if (NEUTRAL.has(node.type))
    return visitAll(
      childrenOf(node).filter((each) => !isTarget(each, node)),
      scope,
      isShown,
    );
  switch (node.type) {
    case "ExpressionStatement":
      return visit(node.expression, scope, true);
    case "IfStatement":
      visit(node.test, scope, true);
      return visitAll([node.consequent, ...(node.alternate ? [node.alternate] : [])], scope, false);
    case "TryStatement":
      return visitAll(childrenOf(node), scope, false);
    case "Literal":
      return visitLiteral(node.value, node.raw ?? "", scope);
    case "TemplateLiteral":
      if (node.expressions.length === 0) return visitLiteral(node.quasis[0]?.value.raw, node.quasis[0]?.value.raw ?? "", scope);
      return isShown ? visitAll(node.expressions, scope, true) : refuse();
    case "Identifier":
      if (scope.errors.has(node.name) && !isShown) refuse(); // an error has a text that something else computes
      return scope.own.has(node.name) || node.name === "undefined" || (scope.isTest && isFree(node.name)) ? undefined : refuse();
    case "BinaryExpression":
      return visitOperation(node.operator, [node.left, node.right], scope, isShown);
    case "UnaryExpression":
      return node.operator === "delete" ? refuse() : visit(node.argument, scope, true);
    case "CatchClause":
      return visit(node.body, scope, false);
    case "Property":
      if (node.computed || node.kind !== "init" || node.method) refuse();
      if (node.key.type === "Literal") visit(node.key, scope, false);
      else if (node.key.type === "Identifier") scope.texts.push(node.key.name);
      return visit(node.value, scope, isShown);
    case "ForOfStatement":
      if (node.left.type !== "VariableDeclaration" || node.await) refuse();
      return visitAll([node.left, node.right, node.body], scope, false);
    case "FunctionDeclaration":
      scope.texts.push(node.id?.name ?? "");
      return visit(node.body, { ...scope, depth: scope.depth + 1 }, false);
    case "ArrowFunctionExpression":
      return visit(node.body, { ...scope, depth: scope.depth + 1 }, false);
    case "ThrowStatement":
      // What catches it outside of functions only shows it.
      return isError(node.argument) ? visitAll(node.argument.arguments, scope, scope.depth === 0) : visit(node.argument, scope, false);
    case "MemberExpression":
      return isConsole(node) ? undefined : visitMember(node, scope, isShown);
    case "NewExpression":
      visitValue(node.callee, scope);
      return visitAll(node.arguments, scope, false);
    case "CallExpression":
      return visitCall(node, scope, isShown);
    case "ImportDeclaration":
      if (node.attributes.length > 0) refuse();
      if (isRunner(node.source.value)) return;
      for (const each of node.specifiers) if (each.type === "ImportSpecifier") visitImported(each.imported, scope);
      return addModule(node.source.value, scope);
    case "ImportExpression":
      return node.source.type === "Literal" && !node.options ? addModule(node.source.value, scope) : refuse();
    default:
      return refuse();
  }
}

/** True for a new error of the language. Its text is only shown, because what catches it only shows it. */
const isError = (node: AnyNode): node is NewExpression =>
  node.type === "NewExpression" && node.callee.type === "Identifier" && /^(Type|Range|)Error$/.test(node.callee.name);

function visitAll(nodes: readonly AnyNode[], scope: Scope, isShown: boolean): void {
  for (const node of nodes) visit(node, scope, isShown);
}

/** True for what gets a value. Its names are known. */
const isTarget = (child: AnyNode, parent: AnyNode): boolean => parent.type === "VariableDeclarator" && child === parent.id;

/** Records a text. It has no escapes, so the code shows what it is. */
function visitLiteral(value: unknown, raw: string, { texts }: Scope): void {
  if (typeof value !== "string") return value instanceof RegExp ? refuse() : undefined;
  if (raw.includes("\\") || !isPlainText(value)) refuse();
  texts.push(value);
}

/** Comparisons use up their values. Other operations may join texts, so they only have numbers, or their result is only shown. */
function visitOperation(operator: string, sides: readonly AnyNode[], scope: Scope, isShown: boolean): void {
  const isComparison = /^([=!]==?|[<>]=?)$/.test(operator);
  const isNumber = (node: AnyNode): boolean => node.type === "Literal" && typeof node.value === "number";
  if (operator === "in" || operator === "instanceof" || (!isComparison && !isShown && !sides.every(isNumber))) refuse();
  visitAll(sides, scope, isShown || isComparison);
}

/** True for `console.log` as a value. It prints what it gets. */
const isConsole = ({ object, property, computed }: MemberExpression): boolean =>
  !computed &&
  object.type === "Identifier" &&
  object.name === "console" &&
  property.type === "Identifier" &&
  isMemberOf("console", property.name);

const isMemberOf = (object: string, member: string): boolean => Object.hasOwn(OBJECTS, object) && OBJECTS[object]?.has(member) === true;

/** Returns the name of a member, and undefined for an element of a list. */
function memberName({ property, computed }: MemberExpression): string | undefined {
  if (computed) return property.type === "Literal" && typeof property.value === "number" ? undefined : refuse();
  return property.type === "Identifier" ? property.name : refuse();
}

function visitMember(node: MemberExpression, scope: Scope, isShown: boolean): void {
  const { object } = node;
  const name = memberName(node);
  if (object.type === "Identifier" && scope.errors.has(object.name))
    return isShown && /^(message|stack|code|name)$/.test(name ?? "") ? undefined : refuse();
  if (name !== undefined && (!isMember(name) || COMPUTES_TEXT.has(name))) refuse();
  if (isMatcher(object) && !MATCHERS.test(name ?? "")) refuse();
  if (name !== undefined) scope.names.push(name);
  if (
    name !== undefined &&
    ((object.type === "Identifier" && scope.imported.has(object.name)) ||
      (object.type !== "ImportExpression" && loadedBy(object) !== undefined))
  )
    scope.members.push(name);
  visitValue(object, scope);
}

/** True for `expect(x)`, `expect(x).not` and so on. */
const isMatcher = (node: AnyNode): boolean =>
  (node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "expect") ||
  (node.type === "MemberExpression" && isMatcher(node.object));
const MATCHERS =
  /^(not|resolves|rejects|toBe\w*|toEqual|toStrictEqual|toContain\w*|toHaveLength|toHaveProperty|toMatch|toMatchObject|toThrow\w*|toHaveBeen\w*)$/;

/** Visits a value that has members or is called. A text has methods that compute other texts. */
function visitValue(node: AnyNode, scope: Scope): void {
  const isValue =
    /^(Identifier|MemberExpression|CallExpression|AwaitExpression|ChainExpression|ImportExpression|NewExpression|Arrow.*|ArrayExpression)$/.test(
      node.type,
    );
  if (!isValue) refuse();
  visit(node, scope, false);
}

function visitCall(node: CallExpression, scope: Scope, isShown: boolean): void {
  const { callee, arguments: given } = node;
  if (callee.type === "Identifier" && callee.name === "require") {
    const [file, ...more] = given;
    return file?.type === "Literal" && more.length === 0 ? addModule(file.value, scope) : refuse();
  }
  const object = callee.type === "MemberExpression" && callee.object.type === "Identifier" ? callee.object.name : "";
  if (callee.type === "MemberExpression" && Object.hasOwn(OBJECTS, object)) {
    if (!isMemberOf(object, memberName(callee) ?? "")) refuse();
    if (object !== "JSON") return visitAll(given, scope, object === "console");
    const [value, ...form] = given;
    if (!isShown || !form.every((each) => each.type === "Literal" && (each.value === null || typeof each.value === "number"))) refuse();
    return value && visit(value, scope, true);
  }
  if (textMethodOf(node) !== undefined) return visitTextMethod(node, scope, isShown);
  if (scope.isTest && callee.type === "Identifier" && callee.name === "expect") return visitAll(given, scope, true);
  if ((callee.type === "Identifier" && scope.imported.has(callee.name)) || loadedBy(callee) !== undefined) scope.members.push("default");
  visitValue(callee, scope);
  visitAll(given, scope, false);
}

/** Returns the object of a call such as `x.trim()`. */
const textMethodOf = (node: AnyNode): AnyNode | undefined =>
  node.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  node.callee.property.type === "Identifier" &&
  !node.callee.computed &&
  COMPUTES_TEXT.has(node.callee.property.name)
    ? node.callee.object
    : undefined;

/** Visits a call of a method of texts. Its result is only shown, and it gets no function, which would get parts of the text. */
function visitTextMethod(node: CallExpression, scope: Scope, isShown: boolean): void {
  const object = textMethodOf(node) ?? refuse();
  const { property } = node.callee.type === "MemberExpression" ? node.callee : refuse();
  if (!isShown || (property.type === "Identifier" && !isMember(property.name)) || !node.arguments.every(({ type }) => type === "Literal"))
    refuse();
  visitAll(node.arguments, scope, false);
  if (textMethodOf(object)) visit(object, scope, true);
  else visitValue(object, scope);
}

function visitImported(imported: AnyNode, { names, members }: Scope): void {
  if (imported.type !== "Identifier" || !isMember(imported.name)) return refuse();
  names.push(imported.name);
  members.push(imported.name);
}

const ASSERT = /^(node:)?assert(\/strict)?$/;
const TEST_RUNNERS = new Set("vitest @jest/globals node:test chai".split(" "));

/** Records a file of the project. */
function addModule(name: unknown, { modules, names, isTest }: Scope): void {
  if (typeof name === "string" && (ASSERT.test(name) || (isTest && TEST_RUNNERS.has(name)))) return;
  if (typeof name !== "string" || !/^\.{1,2}\/[\w./@-]+$/.test(name)) return refuse();
  modules.push([name]);
  names.push(name);
}
