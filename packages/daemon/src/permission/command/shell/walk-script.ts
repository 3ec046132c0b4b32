import type { Gated } from "@baton/core/permission/judge";
import {
  everyNode,
  parseShell,
  type Assignment,
  type BraceGroup,
  type CommandNode,
  type Command,
  type CompoundList,
  type For,
  type Function as FunctionNode,
  type PipelineNode,
  type Redirection,
  type Script,
  type Statement,
  type Word as Node,
  type AndOr,
  type SyntaxNode,
} from "./parse.ts";
import { computesNumbers } from "./arithmetic.ts";
import { assignedIn, isSetOnce } from "./assigned-variables.ts";
import { variablesAfter, lineReadBy, readingIn } from "./known-variables.ts";
import type { GateFindings } from "../gate-findings.ts";
import { leadsThrough } from "../files/new-links.ts";
import { addCommand, judgeCommand } from "./judge-command.ts";
import { hereDocOf } from "./known-output.ts";
import { redirect, type Input, type Read } from "./redirect.ts";
import { walkTest } from "./conditional-expression.ts";
import { changeDirectory } from "./change-directory.ts";
import { filesListedBy, filesNamedBy, incomingFrom, incomingThrough } from "./piped-names.ts";
import { together } from "./listing.ts";
import type { ShellContext } from "./shell-context.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import { STEERING } from "../programs/shell-builtins.ts";
import { asFlag, expand } from "../files/path-accesses.ts";
import { harmlessSetting, harmlessVariable, ownVariable } from "./harmless-variables.ts";
import { literal, readWord, textOfAll, type Reading, type Word } from "./word.ts";

const MAX_DEPTH = 24;
type Folders = readonly string[];

/** Judges every command of a script, in every nesting. Answers the folders it may end in. */
export function walkScript(script: Script, context: ShellContext, findings: GateFindings): Folders {
  if (context.depth > MAX_DEPTH) {
    findings.doubts.add("is nested too deep to be judged");
    return context.cwds;
  }
  return walkStatements(script.commands, { ...context, depth: context.depth + 1 }, findings);
}

/** Judges shell text that stands inside of a command, as its own script. */
export function walkText(text: string, context: ShellContext, findings: GateFindings): void {
  const script = parseShell(text);
  if (!script || script.commands.length === 0) findings.doubts.add("runs shell text that cannot be read");
  else {
    const variables = new Map([...context.variables].filter(([name]) => name === "HOME"));
    walkScript(
      script,
      { ...context, variables, listed: new Map(), functions: new Map(), assigned: assignedIn(script, context.assigned) },
      findings,
    );
  }
}

function walkStatements(statements: readonly Statement[], around: ShellContext, findings: GateFindings): Folders {
  const context = { ...around, input: undefined }; // another command may have read a part of it
  let cwds = context.cwds;
  let { variables } = context;
  for (const { command, background } of statements) {
    if (findings.walked > MAX_WALKED) {
      findings.doubts.add("runs through too much to be judged");
      break;
    }
    if (background) findings.doubts.add("goes on in the background, unseen");
    if (command.type === "Function" && context.depth === 1 && !background && defines(command))
      context.functions.set(command.name.text, command.body);
    else if (command.type === "AndOr") cwds = walkAndOr(command, { ...context, cwds, variables }, findings);
    else {
      cwds = walkPipeline(command, { ...context, cwds, variables }, findings);
      if (!background) variables = variablesAfter(command, { ...context, cwds, variables });
    }
    if (cwds.length > MAX_FOLDERS) {
      findings.doubts.add("changes the folder too often to be followed");
      cwds = cwds.slice(0, MAX_FOLDERS);
    }
  }
  return cwds;
}

const MAX_FOLDERS = 8;

type Plain = FunctionNode & { body: BraceGroup };

/** Whether a definition only names commands. A name that the gate knows as a program would mean something else from here on. */
const defines = (node: FunctionNode): node is Plain =>
  node.body.type === "BraceGroup" &&
  /^[a-z_]\w*$/i.test(node.name.text) &&
  !/^(cd|timeout|sudo|fdfind)$/.test(node.name.text) &&
  !isKnownProgram(node.name.text) &&
  !STEERING.has(node.name.text) &&
  !movesArguments(node.body);

/** With `shift`, `$1` is not what the call gives first. */
function movesArguments(body: SyntaxNode): boolean {
  let moves = false;
  everyNode(body, (node) => {
    moves ||= node.type === "Word" && node.value.includes("shift");
  });
  return moves;
}

function walkAndOr({ commands, operators }: AndOr, context: ShellContext, findings: GateFindings): Folders {
  let cwds = context.cwds;
  let ended: Folders = [];
  let { variables } = context;
  const isChain = operators.every((operator) => operator === "&&");
  commands.forEach((command, i) => {
    const before = cwds;
    cwds = walkPipeline(command, { ...context, cwds, variables }, findings);
    if (isChain) variables = variablesAfter(command, { ...context, cwds, variables });
    if (operators[i] === "&&" && isMove(command) && before.length === 1) {
      // Behind `cd x &&` it is sure that the folder was reached.
      const reached = cwds.filter((cwd) => !before.includes(cwd));
      if (reached.length > 0 && reached.length < cwds.length) {
        ended = union(ended, before);
        cwds = reached;
      }
    }
    // What stands behind `||` runs where the one before failed, and what stands behind `&&` may not run at all.
    if (operators[i] === "||") cwds = union(before, cwds);
    if (i > 0) ended = union(ended, before);
  });
  return union(cwds, commands.length > 1 && operators.includes("||") ? union(ended, context.cwds) : ended);
}

const isMove = (node: PipelineNode): boolean => node.type === "Command" && node.name?.text === "cd";

const union = (a: Folders, b: Folders): Folders => [...new Set([...a, ...b])];

function walkPipeline(node: PipelineNode, context: ShellContext, findings: GateFindings): Folders {
  if (node.type !== "Pipeline") return walkCommand(node, context, findings);
  if (node.commands.length === 1 && node.commands[0]) return walkCommand(node.commands[0], context, findings);
  const upstream = [...context.upstream];
  node.commands.forEach((command, i) => {
    walkCommand(
      command,
      {
        ...context,
        upstream: [...upstream],
        ...(i > 0 ? { fed: "pipe", input: undefined } : {}),
        incoming: i > 0 ? incomingFrom(node.commands.slice(0, i)) : context.incoming,
      },
      findings,
    );
    upstream.push(...programsIn(command));
  });
  return context.cwds;
}

/** All words that could be programs, to tell where a pipe comes from. */
function programsIn(node: SyntaxNode): string[] {
  const names: string[] = [];
  everyNode(node, (each) => {
    if (each.type === "Word") names.push(each.value.split("/").at(-1) ?? "");
  });
  return names;
}

function walkCommand(node: CommandNode, context: ShellContext, findings: GateFindings): Folders {
  const body = (list: CompoundList, inner: ShellContext = context): Folders =>
    walkStatements(list.commands, deeper(inner, findings), findings);
  switch (node.type) {
    case "Command":
      return walkSimple(node, context, findings);
    case "Redirected": {
      const from = { ...context, upstream: [...context.upstream, ...programsIn(node.command)] };
      const fed = redirect(node.redirects, from, findings, reader(context, findings));
      return walkCommand(
        node.command,
        { ...fedWith(fed, context), ...(fed ? { incoming: incomingThrough(node.redirects) } : {}) },
        findings,
      );
    }
    case "Subshell":
      body(node.body);
      return context.cwds;
    case "BraceGroup":
      return body(node.body);
    case "If": {
      let cwds = union(context.cwds, body(node.clause));
      let ends = body(node.then, { ...context, cwds });
      for (const { clause, then } of node.elif) {
        cwds = union(cwds, body(clause, { ...context, cwds }));
        ends = union(ends, body(then, { ...context, cwds }));
      }
      return union(cwds, node.else ? union(ends, body(node.else, { ...context, cwds })) : ends);
    }
    case "While": {
      const links = findings.links.size;
      const after = union(context.cwds, body(node.clause));
      const { incoming } = context;
      const line = typeof incoming === "object" ? lineReadBy(node.clause) : undefined;
      const isListed = line !== undefined && typeof incoming === "object" && isSetOnce(line, context.assigned);
      const listed = isListed ? new Map(context.listed).set(line, incoming) : context.listed;
      const once = union(after, body(node.body, { ...context, cwds: after, listed, incoming: "any" }));
      if (once.length > after.length) findings.doubts.add("changes the folder in a loop");
      if (findings.links.size > links) findings.doubts.add("makes links in a loop");
      return once;
    }
    case "For":
      return walkFor(node, context, findings);
    case "Case": {
      readWords([node.word], context, findings);
      let ends = context.cwds;
      let carried: Folders = []; // `;&` and `;;&` go on to the next item
      for (const { pattern, body: list, terminator } of node.items) {
        readWords(pattern, context, findings);
        const end = body(list, { ...context, cwds: union(context.cwds, carried) });
        ends = union(ends, end);
        carried = terminator === ";;" || terminator === undefined ? [] : union(carried, end);
      }
      return ends;
    }
    case "TestCommand":
      walkTest(node.expression, findings, reader(context, findings));
      addCommand([literal("[[")], { context, findings, also: [] }, true);
      return context.cwds;
    case "ArithmeticCommand":
      if (holdsAssignment(node) || !computesNumbers(node.expression, wordReading(context, findings)))
        findings.doubts.add("computes with variables");
      addCommand([literal("((")], { context, findings, also: [] }, true);
      return context.cwds;
    case "ArithmeticFor":
    case "Select":
    case "Function":
    case "Coproc":
      findings.doubts.add(UNJUDGED[node.type]);
      return context.cwds;
  }
}

function holdsAssignment(node: SyntaxNode): boolean {
  let holds = false;
  everyNode(node, (each) => {
    holds ||= each.type === "ArithmeticBinary" && /^(?![<>=!]=$).*=$/.test(each.operator);
  });
  return holds;
}

/** What a redirect brings stands in the place of what a pipe would. */
const fedWith = (input: Input | undefined, context: ShellContext): ShellContext =>
  input === undefined ? context : { ...context, input: undefined, ...input, incoming: "any" };

const UNJUDGED = {
  ArithmeticFor: "computes with variables",
  Select: "waits for a choice",
  Function: "gives a name to commands (a function)",
  Coproc: "goes on in the background, unseen",
};

function deeper(context: ShellContext, findings: GateFindings): ShellContext {
  if (context.depth > MAX_DEPTH) findings.doubts.add("is nested too deep to be judged");
  return context.depth > MAX_DEPTH ? context : { ...context, depth: context.depth + 1 };
}

const MAX_ROUNDS = 40;
const MAX_WALKED = 2_000;

/** A loop over words that are sure is walked once for each of them. */
function walkFor({ name, wordlist, body }: For, context: ShellContext, findings: GateFindings): Folders {
  const read = wordlist ? readWords(wordlist, context, findings) : undefined;
  const words = read && (changesValue(name.value, body, context) ? matched(read, context, findings) : read);
  const isSure =
    words !== undefined &&
    words.length <= MAX_ROUNDS &&
    words.every(({ kind }) => kind !== "open") &&
    isSetOnce(name.value, context.assigned);
  if (!ownVariable(name.value) && !/^[A-Z][A-Z0-9_]?$/.test(name.value)) findings.doubts.add(`sets the variable ${name.value}`);
  const without = new Map([...context.variables].filter(([variables]) => variables !== name.value));
  const [only, ...more] = wordlist ?? [];
  const listing = only && more.length === 0 && isSetOnce(name.value, context.assigned) ? filesListedBy(only) : undefined;
  const listed = listing ? new Map(context.listed).set(name.value, listing) : context.listed;
  const rounds = isSure ? words.map((word) => new Map(without).set(name.value, word)) : [without];
  let cwds = context.cwds;
  let once: number | undefined;
  for (const variables of rounds) {
    const after = union(cwds, walkStatements(body.commands, deeper({ ...context, cwds, variables, listed }, findings), findings));
    if (after.length > cwds.length) findings.doubts.add("changes the folder in a loop");
    cwds = after.slice(0, MAX_FOLDERS);
    once ??= findings.parts;
    findings.parts = once;
  }
  return cwds;
}

/** Whether a loop makes other words of its variable, such as `${f%.js}.ts`, or hands it to a function that may. */
function changesValue(name: string, body: CompoundList, { functions }: ShellContext): boolean {
  let changes = functions.size > 0;
  everyNode(body, (node) => {
    changes ||= node.type === "Word" && new RegExp(`\\$\\{${name}[%#/^,]|\\$\\((basename|dirname) `).test(node.text);
  });
  return changes;
}

/** The names that patterns match, unless the text may have made other ones by then. */
function matched(words: Word[], { cwds }: ShellContext, { made, brings }: GateFindings): Word[] {
  if (made.size > 0 || brings) return words;
  const names = words.map((word) => (word.kind === "pattern" ? expand(word.text, cwds)?.map(literal) : [word]));
  return names.includes(undefined) ? words : names.flatMap((each) => each ?? []);
}

function walkSimple(node: Command, context: ShellContext, findings: GateFindings): Folders {
  const assignments = node.prefix.filter((each): each is Assignment => each.type === "Assignment");
  const redirects = redirect(
    [...node.prefix, ...node.suffix].filter(
      (each): each is Redirection => each.type === "Redirect" || each.type === "HereDoc" || each.type === "HereString",
    ),
    { ...context, upstream: [...context.upstream, node.name?.value.split("/").at(-1) ?? ""] },
    findings,
    reader(context, findings),
  );
  const inside = {
    ...fedWith(redirects, context),
    settings: assignments.map(({ name }) => name).filter((name) => !harmlessVariable(name)),
  };
  for (const assignment of assignments) assign(assignment, node.name?.text, inside, findings);
  if (!node.name) {
    addCommand([literal(assignments.map(({ text }) => text).join(" ") || ":")], { context, findings, also: [] }, true);
    return context.cwds;
  }
  const written = node.suffix
    .filter((each) => each.type === "Word" || each.type === "Assignment")
    .map((each) => (each.type === "Word" ? each : wordOf(each, inside, findings)));
  const listings = new Map(written.map((each) => [each, filesListedBy(each) ?? filesNamedBy(each, context.listed)] as const));
  // Only at the end a name is one more argument; before other words it could be anything, such as the script of `sed`.
  const listed = written.slice(written.findLastIndex((each) => !listings.get(each)) + 1);
  readWords(listed, inside, findings); // what runs in them is judged, and what they become comes in as with xargs
  const words = readWords([node.name, ...written.filter((each) => !listed.includes(each))], inside, findings).map((word) =>
    asFlag(word, inside, findings.accesses.some(makesFlag)),
  );
  if (words[0]?.kind === "literal" && /\$(?!\{?(HOME|PWD)\b)/.test(node.name.text.replace(/\$?'[^']*'/g, "")))
    words[0] = { kind: "open", text: node.name.text, prefix: "", single: false };
  const called = words[0]?.kind === "literal" && node.name.parts === undefined ? context.functions.get(words[0].text) : undefined;
  if (called && listed.length === 0 && assignments.length === 0) return walkFunction(called, words, inside, findings);
  const present = words.filter((word) => word.kind !== "literal" || !word.vanishes);
  if (words.length - present.length > 1) findings.doubts.add("has arguments of which it is not clear that they are there");
  const moved = changeDirectory(words, context, findings.visited);
  if (moved) {
    if ("doubt" in moved) findings.doubts.add(moved.doubt);
    else {
      findings.accesses.push(...moved.accesses);
      if (findings.links.size > 0 && moved.cwds.some((cwd) => leadsThrough(cwd, findings.links)))
        findings.doubts.add("goes through a link that the text itself makes");
    }
    for (const cwd of context.cwds) findings.visited.add(cwd);
    addCommand(words, { context, findings, also: [] }, true);
    return "doubt" in moved ? context.cwds : moved.cwds;
  }
  const look = {
    context: inside,
    findings,
    walkText: (text: string, at: ShellContext) => walkText(text, { ...at, depth: at.depth + 1 }, findings),
    also: [],
  };
  const more = listed.length > 0 ? together(listed.flatMap((each) => listings.get(each) ?? [])) : "none";
  judgeCommand(words, look, more);
  if (present.length < words.length) judgeCommand(present, look, more);
  return context.cwds;
}

/** Walks the body of a function with the values of this call. */
function walkFunction({ body }: BraceGroup, words: readonly Word[], context: ShellContext, findings: GateFindings): Folders {
  findings.walked += 1;
  if (context.depth > MAX_DEPTH) {
    findings.doubts.add("is nested too deep to be judged");
    return context.cwds;
  }
  if (words.some((word) => word.kind === "pattern" || (word.kind === "open" ? !word.single : word.vanishes)))
    findings.doubts.add("calls a function with words that cannot be counted");
  const values = words.slice(1).map((word, i) => [String(i + 1), word] as const);
  const variables = new Map([...[...context.variables].filter(([name]) => !/^\d+$/.test(name)), ...values]);
  const also = [...context.also, textOfAll(words)];
  return walkStatements(body.commands, { ...context, variables, also, depth: context.depth + 1 }, findings);
}

/** The text makes a file whose name a program would take for a flag, or files of names that are not known. */
const makesFlag = ({ action, resource, below }: Gated): boolean =>
  action === "edit" && (below !== undefined || /(^|\/)-[^/]*$/.test(resource));

/** `declare x=1`: the parser sees an assignment among the words. */
function wordOf(assignment: Assignment, context: ShellContext, findings: GateFindings): Node {
  const { text, pos, end } = assignment;
  const values = assignment.value.type === "Word" ? [assignment.value] : assignment.value.elements;
  readWords(values, context, findings);
  const isPlain = values.every((value) => value.parts === undefined);
  if (!isPlain) findings.isOpen = true;
  return isPlain
    ? { type: "Word", text, value: text, pos, end }
    : { type: "Word", text: "$_", value: "$_", pos, end, parts: [{ type: "SimpleExpansion", text: "$_", pos, end }] };
}

/** `program` is what the variable is set for; undefined where it stands alone. */
function assign(
  { name, value, index, text }: Assignment,
  program: string | undefined,
  context: ShellContext,
  findings: GateFindings,
): void {
  const [word] = readWords(value.type === "Word" ? [value] : value.elements, context, findings);
  const setting = word === undefined ? "" : word.kind === "literal" ? word.text : undefined;
  const isHarmless =
    program === undefined
      ? ownVariable(name) || harmlessSetting(name, setting)
      : harmlessSetting(name, setting, program) || (name === "IFS" && program === "read");
  if (index !== undefined || (value.type !== "Word" && program !== undefined) || !isHarmless)
    findings.doubts.add(`sets the variable ${(name || text).slice(0, 60)}`);
}

function readWords(nodes: readonly Node[], context: ShellContext, findings: GateFindings): Word[] {
  const reading = wordReading(context, findings);
  return nodes.flatMap((node) => readWord(node, reading));
}

/** Reads words and judges what runs inside of them. */
function wordReading(context: ShellContext, findings: GateFindings): Reading {
  const certain = readingIn(context, (why) => void findings.doubts.add(why));
  return {
    ...certain,
    inner: (script) => {
      if (!script || script.commands.length === 0) {
        findings.doubts.add("holds a substitution that cannot be read");
        return undefined;
      }
      const document = hereDocOf(script);
      if (document) return document;
      walkScript(script, { ...context, upstream: [] }, findings);
      return certain.inner(script);
    },
  };
}

const reader =
  (context: ShellContext, findings: GateFindings): Read =>
  (nodes) =>
    readWords(nodes, context, findings);
