/* oxlint-disable typescript/switch-exhaustiveness-check -- code with any other kind of node is refused */
import { builtinModules } from "node:module";
import { parse, type AnyNode, type CallExpression, type MemberExpression, type Options } from "acorn";
import type { ProjectCode } from "../programs/program-types.ts";
import { JAVASCRIPT_BANNED, LEADING } from "../tables/harmless-identifiers.ts";
import { childrenOf } from "./javascript-scope.ts";
import { COMPUTES_TEXT, isPlainMember, isPlainText } from "./project-code.ts";
import { refuse } from "./unknown-code.ts";

type Scope = Pick<ProjectCode, "modules" | "names" | "texts"> & { own: Set<string>; isTest: boolean };

/**
 * Returns the modules of the project that code for Node loads, and the texts that it uses. Undefined unless it certainly does nothing but call
 * functions of the project with values that it shows, and print or compare the results. `isTest`: it is a
 * test, or a part of one, and its other names are from the rest of the file and from the test runner.
 */
export function readJavaScriptProject(code: string, { isModule = false, isTest = false } = {}): ProjectCode | undefined {
  try {
    const script = isModule ? undefined : parsed(code, { sourceType: "script" });
    const program = script ?? parsed(code, { sourceType: "module" }) ?? refuse();
    if (/<!--|-->/.test(code)) refuse();
    const scope: Scope = { modules: [], names: [], texts: [], own: new Set(), isTest };
    takeNames(program, scope);
    visit(program, scope, false);
    return scope.modules.length > 0 || isTest
      ? { language: "node", searched: [], standard: [], modules: scope.modules, names: scope.names, texts: scope.texts }
      : undefined;
  } catch {
    return undefined; // refused, or nested too deep
  }
}

function parsed(code: string, options: Omit<Options, "ecmaVersion">): AnyNode | undefined {
  try {
    return parse(code, { ecmaVersion: "latest", ...options });
  } catch {
    return undefined;
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
  performance: new Set(["now"]),
  process: new Set(["exit"]),
  Promise: new Set(["all", "resolve"]),
  Object: new Set(["keys", "values", "entries"]),
};

/** Records the names that the code gives to values. */
function takeNames(node: AnyNode, scope: Scope): void {
  const { own, names } = scope;
  const take = (target: AnyNode): void => {
    switch (target.type) {
      case "Identifier":
        if (!isOwnName(target.name)) refuse();
        own.add(target.name);
        names.push(target.name);
        return;
      case "ObjectPattern":
        for (const each of target.properties) {
          if (each.type !== "Property" || each.computed || each.key.type !== "Identifier" || !isMember(each.key.name)) return refuse();
          names.push(each.key.name);
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
  if (node.type === "VariableDeclarator") take(node.id);
  if (node.type === "FunctionDeclaration") take(node.id ?? refuse());
  if (node.type === "FunctionDeclaration" || node.type === "ArrowFunctionExpression") for (const each of node.params) take(each);
  if (node.type === "CatchClause" && node.param) take(node.param);
  if (/^Import.*Specifier$/.test(node.type) && "local" in node) take(node.local);
  for (const child of childrenOf(node)) takeNames(child, scope);
}

const isOwnName = (name: string): boolean =>
  /^[A-Za-z_$][\w$]*$/.test(name) && !name.includes("__") && !(name in globalThis) && !JAVASCRIPT_BANNED.has(name) && name !== "eval";
/** True for a name without a meaning in Node, which the rest of a test may define. */
const isFree = (name: string): boolean => isOwnName(name) && isMember(name);
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
      return isShown ? visitAll(node.expressions, scope, true) : refuse();
    case "Identifier":
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
      return visit(node.value, scope, isShown);
    case "ForOfStatement":
      return visitAll([node.left, node.right, node.body], scope, false);
    case "FunctionDeclaration":
      return visit(node.body, scope, false);
    case "ArrowFunctionExpression":
      return visit(node.body, scope, isShown && node.body.type !== "BlockStatement");
    case "MemberExpression":
      return visitMember(node, scope, isShown);
    case "NewExpression":
      visitValue(node.callee, scope);
      return visitAll(node.arguments, scope, false);
    case "CallExpression":
      return visitCall(node, scope, isShown);
    case "ImportDeclaration":
      for (const each of node.specifiers) if (each.type === "ImportSpecifier") visitImported(each.imported, scope);
      return addModule(node.source.value, scope);
    case "ImportExpression":
      return node.source.type === "Literal" ? addModule(node.source.value, scope) : refuse();
    default:
      return refuse();
  }
}

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

function visitMember({ object, property, computed }: MemberExpression, scope: Scope, isShown: boolean): void {
  if (
    computed
      ? property.type !== "Literal" || typeof property.value !== "number"
      : property.type !== "Identifier" || !isMember(property.name)
  )
    refuse();
  if (property.type === "Identifier") scope.names.push(property.name);
  if (property.type === "Identifier" && COMPUTES_TEXT.has(property.name) && !isShown) refuse();
  visitValue(object, scope, isShown);
}

/** Visits a value that has members or is called. A text has methods that compute other texts. */
function visitValue(node: AnyNode, scope: Scope, isShown = false): void {
  const isValue =
    /^(Identifier|MemberExpression|CallExpression|AwaitExpression|ChainExpression|ImportExpression|NewExpression|ArrowFunctionExpression)$/.test(
      node.type,
    );
  if (!isValue && !(isShown && node.type === "ArrayExpression")) refuse();
  visit(node, scope, isShown);
}

function visitCall({ callee, arguments: given }: CallExpression, scope: Scope, isShown: boolean): void {
  if (callee.type === "Identifier" && callee.name === "require") {
    const [file, ...more] = given;
    return file?.type === "Literal" && more.length === 0 ? addModule(file.value, scope) : refuse();
  }
  const object = callee.type === "MemberExpression" && callee.object.type === "Identifier" ? callee.object.name : "";
  if (callee.type !== "MemberExpression" || !Object.hasOwn(OBJECTS, object)) {
    visitValue(callee, scope, isShown);
    const isExpected = scope.isTest && callee.type === "Identifier" && callee.name === "expect";
    return visitAll(given, scope, isExpected);
  }
  const isKnown = !callee.computed && callee.property.type === "Identifier" && OBJECTS[object]?.has(callee.property.name) === true;
  if (!isKnown) refuse();
  visitAll(given, scope, object === "console" || (object === "JSON" && isShown));
}

function visitImported(imported: AnyNode, { names }: Scope): void {
  if (imported.type !== "Identifier" || !isMember(imported.name)) return refuse();
  names.push(imported.name);
}

const TEST_RUNNERS = new Set("vitest @jest/globals node:test node:assert node:assert/strict chai".split(" "));

/** Records a file of the project. */
function addModule(name: unknown, { modules, names, isTest }: Scope): void {
  if (isTest && typeof name === "string" && TEST_RUNNERS.has(name)) return;
  if (typeof name !== "string" || !/^\.{1,2}\/[\w./@-]+$/.test(name)) return refuse();
  modules.push([name]);
  names.push(name);
}
