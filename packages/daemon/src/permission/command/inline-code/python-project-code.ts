import { parser } from "@lezer/python";
import type { ProjectCode } from "../programs/program-types.ts";
import { PYTHON_BANNED, PYTHON_NAMES, STANDARD_MODULES } from "../tables/harmless-identifiers.ts";
import { COMPUTES_TEXT, isPlainMember, isPlainText } from "./project-code.ts";
import { partOf, STRANGE } from "./python-code.ts";
import { argumentsOf, importOf, type Part, targetsOf } from "./python-scope.ts";
import { refuse } from "./unknown-code.ts";

type Scope = Omit<ProjectCode, "standard"> & {
  /** Names that the code gives to values. */
  own: Set<string>;
  /** Those among them that hold errors. */
  errors: Set<string>;
  /** Names of modules of Python. */
  standard: Set<string>;
  /** Names of modules of the project, and of what comes from them. */
  imported: Set<string>;
  /** Parameters of tests, to which pytest gives values. */
  fixtures: Set<string>;
  isTest: boolean;
};

/**
 * Returns the modules of the project that code in Python loads, and the texts that it uses. Undefined unless it certainly does nothing but call
 * functions of the project with values that it shows, and print or compare the results. `isTest`: it is a test, or a part of one, and its other names are
 * from the rest of the file and from pytest.
 */
export function readPythonProject(code: string, { isTest = false } = {}): ProjectCode | undefined {
  if (STRANGE.test(code)) return undefined;
  const scope: Scope = {
    language: "python",
    modules: [],
    searched: [],
    names: [],
    texts: [],
    own: new Set(),
    errors: new Set(),
    standard: new Set(),
    imported: new Set(),
    fixtures: new Set(),
    members: [],
    isTest,
  };
  try {
    const statements = partOf(parser.parse(code).topNode, code).parts.flatMap((each) =>
      each.type === "StatementGroup" ? each.parts : [each],
    );
    for (const each of statements) if (!insertsPath(each, scope)) visit(each, scope, false);
    const { language, modules, searched, names, members, texts, standard } = scope;
    return modules.length > 0 || isTest
      ? { language, modules, searched, names, members, texts, standard: ["builtins", ...standard] }
      : undefined;
  } catch {
    return undefined; // refused, or nested too deep
  }
}

/** Parts that do nothing but what their own parts do. */
const NEUTRAL = new Set(
  `StatementGroup Body IfStatement ReturnStatement PassStatement ParenthesizedExpression ArrayExpression TupleExpression SetExpression
  DictionaryExpression ConditionalExpression UnaryExpression AwaitExpression BreakStatement ContinueStatement Number Boolean None`.split(
    /\s+/,
  ),
);

/** Functions of Python. Only `str` and `repr` compute texts. What they get is used as their result is. */
const FUNCTIONS = new Set(
  "len range sum min max sorted list dict set tuple int float bool str repr abs round enumerate zip isinstance type".split(" "),
);

/** `isShown`: the code only prints, compares or tests the value, so it may be computed in any way. */
function visit(part: Part, scope: Scope, isShown: boolean): void {
  const { type, text, parts } = part;
  if (type === "CompareOp" || type === "ArithOp") return;
  if (NEUTRAL.has(type) || /^[^A-Z]/.test(type)) return /^[@`*]/.test(type) ? refuse() : visitAll(parts, scope, isShown);
  switch (type) {
    case "ExpressionStatement":
      return visitAll(parts, scope, false);
    case "AssertStatement":
      return visitAll(parts, scope, true);
    case "ImportStatement":
      return visitImport(part, scope);
    case "String":
      return visitText(text, scope);
    case "FormatString":
      if (!isShown || text.includes("\\")) refuse();
      scope.texts.push(text.replaceAll(/\{[^{}]*\}/g, "\n"));
      return visitAll(parts, scope, true);
    case "FormatReplacement":
      return visitAll(parts, scope, true);
    case "FormatSpec":
      return /^:?[\w<>^=+,. %-]{0,8}$/.test(text) ? undefined : refuse();
    case "FormatConversion":
    case "FormatSelfDoc":
      return visitAll(parts, scope, true);
    case "VariableName":
      if (scope.errors.has(text) && !isShown) refuse(); // an error has a text that something else computes
      return isOwn(text, scope) || text === "__name__" || ERROR.test(text) ? undefined : refuse();
    case "BinaryExpression":
      return visitOperation(part, scope, isShown);
    case "MemberExpression":
      return visitMember(part, scope, isShown);
    case "CallExpression":
      return visitCall(part, scope, isShown);
    case "AssignStatement":
    case "ForStatement":
    case "TryStatement":
    case "ArrayComprehensionExpression":
      return visitBinding(part, scope, isShown);
    case "FunctionDefinition":
      return visitFunction(part, scope);
    case "DecoratedStatement":
    case "WithStatement":
    case "ClassDefinition":
      return scope.isTest ? visitTest(part, scope) : refuse();
    default:
      return refuse();
  }
}

/** The errors of Python, and those of the code. */
const ERROR = /^[A-Z]\w*(Error|Exception)$|^Exception$/;

function visitAll(parts: readonly Part[], scope: Scope, isShown: boolean): void {
  for (const part of parts) visit(part, scope, isShown);
}

/** Records a text. It has no escapes and no prefix, so the code shows what it is. */
function visitText(written: string, { texts }: Scope): void {
  const [, , text = refuse()] = /^("""|'''|["'])([^]*)\1$/.exec(written) ?? [];
  const plain = text.replaceAll(/\\[nt]/g, "\n");
  if (plain.includes("\\") || plain.includes(">>>") || !isPlainText(plain)) refuse(); // pytest may run the examples in a text
  texts.push(plain);
}

/** Operations may join texts, so they only have numbers, or their result is only shown. A comparison may be one of the project, which gets its sides. */
function visitOperation({ parts }: Part, scope: Scope, isShown: boolean): void {
  const isComparison = parts.some(({ type }) => type === "CompareOp" || /^(in|is|not)$/.test(type));
  const isChoice = parts.some(({ type }) => /^(and|or)$/.test(type));
  const sides = parts.filter(({ type }) => /^[A-Z]/.test(type) && !type.endsWith("Op"));
  const joins = parts.some(({ type }) => type === "ArithOp");
  // An operator of the project would get a text that the code computes.
  if ((joins && parts.every(isOfTexts)) || (joins && sides.some(isComputed) && !sides.every((each) => isComputed(each) || isPlain(each))))
    refuse();
  if (!isComparison && !isChoice && !isShown && !parts.every(({ type }) => type === "ArithOp" || type === "Number")) refuse();
  visitAll(parts, scope, isShown && !isComparison);
}

/** True for an operation on nothing but texts: `"a" + "b"`. */
const isOfTexts = ({ type, parts }: Part): boolean =>
  /^(String|FormatString|ContinuedString|ArithOp)$/.test(type) || (type === "BinaryExpression" && parts.every(isOfTexts));

const isComputed = ({ type, parts }: Part): boolean =>
  type === "FormatString" || (type === "BinaryExpression" && !parts.every(isOfNumbers));
const isOfNumbers = ({ type, parts }: Part): boolean =>
  /^(Number|ArithOp|CallExpression|MemberExpression)$/.test(type) || (type === "BinaryExpression" && parts.every(isOfNumbers));
const isPlain = ({ type, text }: Part): boolean => /^(String|Number)$/.test(type) || /^(str|repr|len)\(/.test(text);

function visitMember({ parts: [object = refuse(), sign, name, ...more] }: Part, scope: Scope, isShown: boolean): void {
  const isError = object.type === "VariableName" && scope.errors.has(object.text);
  if (sign?.type === "[") {
    if (!isShown && (!isValue(object, scope) || name?.type !== "Number" || more.length > 1)) refuse(); // a part of a text is another text
    visit(object, scope, isShown);
    return visitAll([...(name ? [name] : []), ...more], scope, false);
  }
  if (sign?.type !== "." || name?.type !== "PropertyName" || more.length > 0) refuse();
  const member = name?.text ?? "";
  if (object.type === "VariableName" && scope.fixtures.has(object.text)) refuse();
  if (scope.imported.has(object.text.split(".")[0] ?? "") && /^[\w.]+$/.test(object.text)) scope.members.push(member);
  if (isShown && /^__(version|name|doc|file)__$/.test(member)) return visit(object, scope, isError);
  if (!isPlainMember(member) || STANDARD_MODULES.has(member) || PYTHON_BANNED.has(member)) refuse();
  if (COMPUTES_TEXT.has(member) && !isShown) refuse();
  scope.names.push(member);
  if (!isValue(object, scope) && !isShown) refuse();
  visit(object, scope, isShown && (isError || !isValue(object, scope) || computesText(object)));
}

/** True for a call such as `x.strip()`. */
const computesText = ({ type, parts: [callee] }: Part): boolean =>
  type === "CallExpression" && COMPUTES_TEXT.has(callee?.parts.at(-1)?.text ?? "") && callee?.type === "MemberExpression";

/** True for a name that the code, or the rest of a test, gives to a value. */
const isOwn = (name: string, { own, standard, isTest }: Scope): boolean =>
  own.has(name) || (isTest && !standard.has(name) && isPlainMember(name) && !isOfPython(name));

/** True for a name with a meaning of its own in Python. */
const isOfPython = (name: string): boolean =>
  PYTHON_BANNED.has(name) ||
  PYTHON_NAMES.has(name) ||
  STANDARD_MODULES.has(name) ||
  /^(print|pytest|bytearray|complex|format|slice|aiter|anext|memoryview|ascii|input)$/.test(name) ||
  FUNCTIONS.has(name);

/** True for a name of the code's own, and for what comes out of it. A text has methods that compute other texts. */
const isValue = ({ type, text, parts: [first] }: Part, scope: Scope): boolean =>
  type === "VariableName" ? isOwn(text, scope) : /^(Member|Call|Parenthesized|Await)Expression$/.test(type) && first !== undefined;

function visitCall({ parts: [callee = refuse(), list] }: Part, scope: Scope, isShown: boolean): void {
  if (list?.type !== "ArgList") return refuse();
  const isPrint = callee.text === "print"; // no name of the code's own can be one of Python
  const isFunction = FUNCTIONS.has(callee.text);
  const given = argumentsOf(list);
  const count = given?.length;
  if (isFunction && !isShown && given?.some(({ value }) => value.type === "String")) refuse(); // the parts of a text are other texts
  if (isFunction && /^(str|type|sum)$/.test(callee.text) && count !== 1) refuse(); // more of them make a class, or call the project
  if (isFunction && /^(str|repr)$/.test(callee.text) && !isShown) refuse();
  if (callee.parts.at(-1)?.text === "replace" && (count ?? 0) < 2) refuse(); // a path would be renamed
  if (isStandard(callee, scope)) return /^(json|inspect)/.test(callee.text) && !isShown ? refuse() : visitArguments(list, scope, false);
  if (!isPrint && !isFunction) visit(callee, scope, isShown && callee.type === "MemberExpression");
  visitArguments(list, scope, isPrint || (isFunction && isShown));
}

/** Calls of modules of Python that start functions of the project, or show their results. */
const isStandard = ({ text }: Part, { standard }: Scope): boolean =>
  /^(asyncio\.run|traceback\.print_exc|pprint\.pprint|time\.(time|perf_counter|sleep)|json\.dumps|inspect\.(signature|getdoc)|pytest\.(raises|approx|param|skip|fail))$/.test(
    text,
  ) && standard.has(text.split(".")[0] ?? "");

function visitArguments(list: Part, scope: Scope, isShown: boolean): void {
  for (const { name, value, sign } of argumentsOf(list) ?? refuse()) {
    if (sign !== undefined || (name !== undefined && (/^(file|key|default|check)$/.test(name) || !isPlainMember(name)))) refuse();
    visit(value, scope, isShown);
  }
  for (const { name } of argumentsOf(list) ?? []) if (name !== undefined) scope.texts.push(name); // behind the values, which may be a command
}

/** Records the folder of `sys.path.insert(0, 'src')`, which certainly runs before the code loads modules. */
function insertsPath({ type, parts: [call] }: Part, scope: Scope): boolean {
  const [callee, list] = type === "ExpressionStatement" && call?.type === "CallExpression" ? call.parts : [];
  if (callee?.text !== "sys.path.insert" || !list || !scope.standard.has("sys") || scope.modules.length > 0) return false;
  const [at, folder] = (argumentsOf(list) ?? refuse()).map(({ value }) => value);
  const [, , named] = folder?.type === "String" ? (/^(["'])([\w./-]*)\1$/.exec(folder.text) ?? []) : [];
  if (list.parts.length !== 5 || !/^[01]$/.test(at?.text ?? "") || named === undefined) refuse();
  scope.searched.unshift(named || ".");
  return true;
}

function visitImport(part: Part, scope: Scope): void {
  const { from, names } = importOf(part) ?? refuse();
  for (const [name, own = name.replace(/\..*/, "")] of names) {
    const whole = from === undefined ? name : `${from}.${name}`;
    const isPlain = from === undefined && own === name;
    if (isPlain && (STANDARD.test(name) || (scope.isTest && name === "pytest"))) {
      scope.standard.add(name);
      continue;
    }
    addProjectModule(whole, scope, from);
    scope.names.push(whole);
    scope.imported.add(own);
    if (from !== undefined) scope.members.push(name);
    takeName(own, scope);
  }
}

/** Modules of Python of which the code may use some functions. */
const STANDARD = /^(sys|asyncio|pprint|time|json|traceback|inspect)$/;

/** Records the files that Python may load for a module. The first part is a package or a module, unless the whole name is a file below it. */
function addProjectModule(whole: string, scope: Scope, from: string | undefined): void {
  const [first = ""] = whole.split(".");
  for (const name of whole.split(".")) if (STANDARD_MODULES.has(name) || !isPlainMember(name)) refuse();
  const names = [first, ...(from === undefined ? [] : [from]), whole].filter((each, i, all) => all.indexOf(each) === i);
  scope.modules.push(names.map((each) => each.replaceAll(".", "/")));
}

function takeName(name: string, { own, standard }: Scope): void {
  if (name === "_") return; // a value that is not used
  if (!/^[A-Za-z]\w*$/.test(name) || name.includes("__") || standard.has(name)) refuse();
  if (isOfPython(name) || /^(pytest_\w*|load_tests)$/.test(name) || /^(Pure)?(Posix|Windows)?Path$/.test(name)) refuse();
  own.add(name);
}

/** Visits a part that gives names to values. */
function visitBinding(part: Part, scope: Scope, isShown: boolean): void {
  const { targets, rest } = targetsOf(part);
  for (const target of targets.flatMap(namesIn)) {
    takeName(target, scope);
    if (part.type === "TryStatement" || part.type === "WithStatement") scope.errors.add(target);
  }
  const [first, ...others] = rest;
  if (first) visit(first, scope, part.type === "ArrayComprehensionExpression" && isShown);
  visitAll(others, scope, false);
}

const namesIn = ({ type, text, parts }: Part): string[] =>
  type === "VariableName"
    ? [text]
    : /^(Tuple|Array|Parenthesized)Expression$/.test(type)
      ? parts.flatMap(namesIn)
      : /^[(),[\]]$/.test(type)
        ? []
        : refuse();

/** Visits what pytest adds: `@pytest.mark.parametrize(…)`, `with pytest.raises(…)`, and classes of tests. */
function visitTest(part: Part, scope: Scope): void {
  for (const each of part.parts) {
    const [at, module, , first] = each.parts;
    if (each.type === "Decorator") {
      if (
        at?.type !== "At" ||
        module?.text !== "pytest" ||
        !/^@pytest\.(mark\.(parametrize|asyncio)|fixture)\b/.test(each.text) ||
        first === undefined
      )
        refuse();
      for (const list of each.parts) if (list.type === "ArgList") visitArguments(list, scope, false);
    } else if (part.type === "ClassDefinition" && each.type === "VariableName") takeName(each.text, scope);
    else if (each.type === "CallExpression" && part.type === "WithStatement")
      return each.parts[0]?.text === "pytest.raises" ? visitBinding(part, scope, false) : refuse();
    else if (/^(Body|FunctionDefinition|ClassDefinition)$/.test(each.type)) visit(each, scope, false);
    else if (each.type !== "class" && each.type !== "with") refuse();
  }
}

function visitFunction({ parts }: Part, scope: Scope): void {
  const list = parts.find(({ type }) => type === "ParamList");
  for (const each of [...parts, ...(list?.parts ?? [])]) {
    if (each.type === "VariableName") {
      takeName(each.text, scope);
      if (scope.isTest && list?.parts.includes(each) && each.text !== "self") scope.fixtures.add(each.text);
    } else if (!/^(async|def|ParamList|Body|[(),])$/.test(each.type)) refuse();
  }
  visitAll(
    parts.filter(({ type }) => type === "Body"),
    scope,
    false,
  );
}
