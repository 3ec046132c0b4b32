import { computesNumbers } from "./arithmetic.ts";
import { assignedIn } from "./assigned-variables.ts";
import { filesListedIn, variablesAfter } from "./known-variables.ts";
import type { GateFindings } from "../gate-findings.ts";
import { addCommand } from "./judge-command.ts";
import {
  everyNode,
  parseShell,
  type AndOr,
  type BraceGroup,
  type CommandNode,
  type CompoundList,
  type Function as FunctionNode,
  type PipelineNode,
  type Script,
  type Statement,
  type SyntaxNode,
} from "./parse.ts";
import { redirect } from "./redirect.ts";
import { walkTest } from "./conditional-expression.ts";
import { incomingFrom, incomingThrough } from "./piped-names.ts";
import { readWords, wordReading } from "./read-words.ts";
import type { ShellContext } from "./shell-context.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import { STEERING } from "../programs/shell-builtins.ts";
import { deeper, MAX_DEPTH, MAX_FOLDERS, union, type Folders, type Walker } from "./walker.ts";
import { walkArithmeticFor, walkFor, walkWhile } from "./walk-loop.ts";
import { fedWith, walkSimple } from "./walk-simple.ts";
import { literal } from "./word.ts";

/** The walk through one text. */
export function walkerFor(findings: GateFindings): Walker {
  const walker: Walker = {
    findings,
    walkScript: (script, context) => walkScript(script, context, walker),
    walkStatements: (statements, context) => walkStatements(statements, context, walker),
    walkText: (text, context) => walkText(text, context, walker),
  };
  return walker;
}

/** Judges every command of a script, in every nesting. Answers the folders it may end in. */
function walkScript(script: Script, context: ShellContext, walker: Walker): Folders {
  if (context.depth > MAX_DEPTH) {
    walker.findings.doubts.add("is nested too deep to be judged");
    return context.cwds;
  }
  return walkStatements(script.commands, { ...context, depth: context.depth + 1 }, walker);
}

/** Judges shell text that stands inside of a command, as its own script. */
function walkText(text: string, context: ShellContext, walker: Walker): void {
  const script = parseShell(text);
  if (!script || script.commands.length === 0) walker.findings.doubts.add("runs shell text that cannot be read");
  else {
    const variables = new Map([...context.variables].filter(([name]) => /^(HOME|\d+)$/.test(name)));
    const listed = new Map([...context.listed].filter(([name]) => /^\d+$/.test(name)));
    walkScript(script, { ...context, variables, listed, functions: new Map(), assigned: assignedIn(script, context.assigned) }, walker);
  }
}

function walkStatements(statements: readonly Statement[], around: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  let context: ShellContext = { ...around, input: undefined }; // another command may have read a part of it
  for (const { command, background } of statements) {
    if (findings.walked > MAX_WALKED) {
      findings.doubts.add("runs through too much to be judged");
      break;
    }
    if (command.type === "Function" && context.depth === 1 && !background && defines(command)) {
      context.functions.set(command.name.text, command.body);
      continue;
    }
    const at = context;
    const cwds = command.type === "AndOr" ? walkAndOr(command, at, walker) : walkPipeline(command, at, walker);
    // It runs beside the rest, so it is judged again with all that the text makes.
    if (background)
      findings.later.push(() => void (command.type === "AndOr" ? walkAndOr(command, at, walker) : walkPipeline(command, at, walker)));
    else context = after(command, { ...at, cwds, listed: cwds.join() === at.cwds.join() ? at.listed : new Map() });
    if (context.cwds.length <= MAX_FOLDERS) continue;
    findings.doubts.add("changes the folder too often to be followed");
    context = { ...context, cwds: context.cwds.slice(0, MAX_FOLDERS) };
  }
  return context.cwds;
}

/** What is known behind a command. Of a list such as `a && b` it is only sure that the first one runs. */
function after(command: Statement["command"], context: ShellContext): ShellContext {
  const first = command.type === "AndOr" ? command.commands[0] : command;
  if (!first) return context;
  return { ...context, variables: variablesAfter(first, context), listed: filesListedIn(first, context) };
}

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

function walkAndOr({ commands, operators }: AndOr, context: ShellContext, walker: Walker): Folders {
  let cwds = context.cwds;
  let ended: Folders = [];
  let { variables } = context;
  const isChain = operators.every((operator) => operator === "&&");
  commands.forEach((command, i) => {
    const before = cwds;
    cwds = walkPipeline(command, { ...context, cwds, variables }, walker);
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

function walkPipeline(node: PipelineNode, context: ShellContext, walker: Walker): Folders {
  if (node.type !== "Pipeline") return walkCommand(node, context, walker);
  if (node.commands.length === 1 && node.commands[0]) return walkCommand(node.commands[0], context, walker);
  const upstream = [...context.upstream];
  node.commands.forEach((command, i) => {
    walkCommand(
      command,
      {
        ...context,
        upstream: [...upstream],
        ...(i > 0 ? { fed: "pipe", input: undefined } : {}),
        isPiped: i < node.commands.length - 1 || context.isPiped === true,
        incoming: i > 0 ? incomingFrom(node.commands.slice(0, i)) : context.incoming,
      },
      walker,
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

function walkCommand(node: CommandNode, context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  const body = (list: CompoundList, inner: ShellContext = context): Folders => walkStatements(list.commands, deeper(inner, walker), walker);
  switch (node.type) {
    case "Command":
      return walkSimple(node, context, walker);
    case "Redirected": {
      const from = { ...context, upstream: [...context.upstream, ...programsIn(node.command)] };
      const fed = redirect(node.redirects, from, findings, (nodes) => readWords(nodes, context, walker));
      const incoming = fed ? { incoming: incomingThrough(node.redirects) } : {};
      return walkCommand(node.command, { ...fedWith(fed, context), ...incoming }, walker);
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
    case "While":
      return walkWhile(node, context, walker);
    case "For":
      return walkFor(node, context, walker);
    case "ArithmeticFor":
      return walkArithmeticFor(node, context, walker);
    case "Case": {
      readWords([node.word], context, walker);
      let ends = context.cwds;
      let carried: Folders = []; // `;&` and `;;&` go on to the next item
      for (const { pattern, body: list, terminator } of node.items) {
        readWords(pattern, context, walker);
        const end = body(list, { ...context, cwds: union(context.cwds, carried) });
        ends = union(ends, end);
        carried = terminator === ";;" || terminator === undefined ? [] : union(carried, end);
      }
      return ends;
    }
    case "TestCommand":
      walkTest(node.expression, findings, (nodes) => readWords(nodes, context, walker));
      addCommand([literal("[[")], { context, findings, also: [] }, true);
      return context.cwds;
    case "ArithmeticCommand":
      if (holdsAssignment(node) || !computesNumbers(node.expression, wordReading(context, walker)))
        findings.doubts.add("computes with variables");
      addCommand([literal("((")], { context, findings, also: [] }, true);
      return context.cwds;
    case "Select":
    case "Function":
    case "Coproc":
      findings.doubts.add(UNJUDGED[node.type]);
      return context.cwds;
  }
}

const MAX_WALKED = 2_000;

function holdsAssignment(node: SyntaxNode): boolean {
  let holds = false;
  everyNode(node, (each) => {
    holds ||= each.type === "ArithmeticBinary" && /^(?![<>=!]=$).*=$/.test(each.operator);
  });
  return holds;
}

const UNJUDGED = {
  Select: "waits for a choice",
  Function: "gives a name to commands (a function)",
  Coproc: "goes on in the background, unseen",
};
