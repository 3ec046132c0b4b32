import { omitUndefined } from "@baton/core/text/omit-undefined";
import { assignedBy, computesNumbers, DROPS_LINE, mayDropLine } from "../words/arithmetic.ts";
import { assignedIn, isSetOnce } from "../words/assigned-variables.ts";
import { ownVariable } from "../words/harmless-variables.ts";
import { assignedAfter } from "../words/known-variables.ts";
import { isUntouched, repeat, tracesOf, type GateFindings } from "../gate-findings.ts";
import { addCommand } from "./judge-program.ts";
import { nodesIn, parseShell, type ArithmeticExpression } from "./parse.ts";
import type * as Shell from "./parse.ts";
import { redirect } from "./redirect.ts";
import { walkTest } from "./conditional-expression.ts";
import { plainPipeline } from "../words/pipelines.ts";
import { judgeMovedFolders } from "./judge-path.ts";
import { listFileAt } from "../files/list-file.ts";
import { namesRedirected, pipedArguments } from "../words/piped-arguments.ts";
import { readWords, judgingWordContext } from "../words/read-words.ts";
import type { ShellContext } from "./shell-context.ts";
import { isKnownProgram } from "../programs/classify-program.ts";
import { STEERING } from "../programs/shell-builtins.ts";
import { isOverTime } from "../time-limit.ts";
import { deeper, limited, MAX_DEPTH, union, type Folders, type Walker } from "./walker-types.ts";
import { walkFor, walkRounds, walkWhile } from "./walk-loop.ts";
import { contextWithInput, programsIn, walkSimple } from "./walk-simple.ts";
import { literal } from "../words/word.ts";

/** Returns the walker for one text. */
export function walkerFor(findings: GateFindings): Walker {
  const walker: Walker = {
    findings,
    walkScript: ({ commands }, context) => walkStatements(commands, deeper(context), walker),
    walkStatements: (statements, context) => walkStatements(statements, context, walker),
    walkText: (text, context) => walkText(text, context, walker),
    walkTrap: (trap, context) => walkTrap(trap, context, walker),
  };
  return walker;
}

/** Judges shell text inside a command as a separate script. */
function walkText(text: string, context: ShellContext, walker: Walker): void {
  const script = scriptIn(text, walker);
  if (!script) return;
  const variables = new Map([...context.variables].filter(([name]) => /^(HOME|\d+)$/.test(name)));
  const listed = new Map([...context.listed].filter(([name]) => /^\d+$/.test(name)));
  walker.walkScript(script, {
    ...context,
    variables,
    listed,
    functions: new Map(),
    isInFunction: false,
    assigned: assignedIn(script, context.assigned),
  });
}

/**
 * Judges text that the shell itself runs later, in any folder in which it may be then. A variable that is set only once has its value. The end of a
 * subshell comes before later commands, so these have to know what the text writes.
 */
function walkTrap({ text, isLast }: Parameters<Walker["walkTrap"]>[0], context: ShellContext, walker: Walker): void {
  const script = scriptIn(text, walker);
  if (!script) return;
  const assigned = assignedIn(script, context.assigned);
  // The variables of a function may be gone when the trap runs.
  const isLasting = (name: string) => name === "HOME" || (context.isInFunction !== true && isSetOnce(name, assigned));
  const variables = new Map([...context.variables].filter(([name]) => isLasting(name)));
  const key = JSON.stringify([text, context.settings, ...variables]);
  const judge = (cwds: Folders) => {
    const mayChange = context.functions.size > 0 || assignedIn(script).times.size > 0 || /\b(cd|pushd|popd)\b/.test(text);
    if (!isLast && mayChange) walker.findings.doubts.add("has a trap that may change what the shell does next");
    walker.walkScript(script, { ...context, cwds, variables, assigned, listed: new Map(), incoming: "any", isInFunction: false });
  };
  if (walker.findings.traps.has(key)) return;
  walker.findings.traps.set(key, judge);
  judge(context.cwds);
}

/** Parses shell text. Adds a doubt if the gate cannot read it. */
function scriptIn(text: string, { findings }: Walker): Shell.Script | undefined {
  const script = parseShell(text);
  if (script && mayDropLine(script, text)) findings.doubts.add(DROPS_LINE);
  if (script && script.commands.length > 0) return script;
  findings.doubts.add("runs shell text that cannot be read");
  return undefined;
}

/** Judges every command of a script at every level. Returns the folders in which the script may end. */
function walkStatements(statements: readonly Shell.Statement[], around: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  if (around.depth > MAX_DEPTH) {
    findings.doubts.add("is nested too deep to be judged");
    return around.cwds;
  }
  // Another command may have read part of the input.
  let context: ShellContext = { ...(isAlone(statements) ? around : withoutList(around)), input: undefined };
  for (const { command, background } of statements) {
    if (findings.walked > MAX_WALKED || isOverTime()) {
      findings.doubts.add("runs through too much to be judged");
      break;
    }
    if (command.type === "Function" && context.depth === 1 && !background && defines(command)) {
      context.functions.set(command.name.text, command.body);
      findings.uncalled.add(command.body);
      continue;
    }
    const at = context;
    const walk = () => (command.type === "AndOr" ? walkAndOr(command, at, walker) : walkPipeline(command, at, walker));
    const cwds = walk();
    // It runs in parallel with the rest, so the gate judges it again with everything that the text creates.
    if (background) findings.later.push(() => void walk());
    else context = after(command, { ...at, cwds, listed: cwds.join() === at.cwds.join() ? at.listed : new Map() });
    context = { ...context, cwds: limited(context.cwds, findings) };
  }
  return context.cwds;
}

/** Returns what is known after a command. In a list such as `a && b`, only the first command is certain to run. */
function after(command: Shell.Statement["command"], context: ShellContext): ShellContext {
  const first = command.type === "AndOr" ? command.commands[0] : command;
  return first ? { ...context, variables: assignedAfter(first, context) } : context;
}

type Plain = Shell.Function & { body: Shell.BraceGroup };

/** True if a function only names commands. A function with the name of a known program would change the meaning of that name. */
const defines = (node: Shell.Function): node is Plain =>
  node.body.type === "BraceGroup" &&
  /^[a-z_]\w*$/i.test(node.name.text) &&
  !/^(cd|timeout|sudo|fdfind|command_not_found_handler?)$/.test(node.name.text) &&
  !isKnownProgram(node.name.text) &&
  !STEERING.has(node.name.text);

/** Walks a list such as `a && b || c`. It follows the folders in which the shell may be after a success, and those after a failure. */
function walkAndOr({ commands, operators }: Shell.AndOr, context: ShellContext, walker: Walker): Folders {
  let { variables, cwds: succeeded } = context;
  let failed: Folders = [];
  const isChain = operators.every((operator) => operator === "&&");
  commands.forEach((command, i) => {
    const isAfterFailure = operators[i - 1] === "||";
    const isReached = !isAfterFailure || failed.length > 0;
    const from = isAfterFailure && isReached ? failed : succeeded;
    const ends = walkPipeline(command, { ...context, cwds: from, variables }, walker);
    if (isChain) variables = assignedAfter(command, { ...context, cwds: ends, variables });
    if (!isReached) return;
    // After `cd x &&` the folder was certainly reached, and after `cd x ||` the shell stays where it was.
    const reached = isMove(command) && from.length === 1 ? ends.filter((cwd) => cwd !== from[0]) : [];
    const [after, afterFailure] = reached.length > 0 ? [reached, ends.filter((cwd) => cwd === from[0])] : [ends, ends];
    succeeded = isAfterFailure ? union(succeeded, after) : after;
    failed = isAfterFailure ? afterFailure : union(failed, afterFailure);
    const all = limited(union(succeeded, failed), walker.findings);
    [succeeded, failed] = [succeeded.filter((folder) => all.includes(folder)), failed.filter((folder) => all.includes(folder))];
  });
  return union(succeeded, failed);
}

const isMove = (node: Shell.PipelineNode): boolean => node.type === "Command" && node.name?.text === "cd";

function walkPipeline(node: Shell.PipelineNode, context: ShellContext, walker: Walker): Folders {
  if (node.type !== "Pipeline") return walkCommand(node, context, walker);
  if (node.commands.length === 1 && node.commands[0]) return walkCommand(node.commands[0], context, walker);
  // They run in parallel, so each finds the files of the others.
  let stages = node.commands.length;
  const { findings } = walker;
  const before = findings.moved.size;
  repeat(findings, () => (stages = walkStages(node, stages, context, walker)), tracesOfStage);
  if (findings.moved.size > before) judgeMovedFolders([...findings.entered, ...context.cwds], findings.moved, findings);
  return context.cwds;
}

/** True for a single command, which gets all of the input. */
const isAlone = ([only, ...more]: readonly Shell.Statement[]): boolean => more.length === 0 && only?.command.type !== "AndOr";

/** Returns the context with unknown input instead of a list. If a program reads a part of a list, the rest has other names. */
const withoutList = (context: ShellContext): ShellContext => (context.incoming === "none" ? context : { ...context, incoming: "any" });

/** The limit for the commands of a pipeline. Above it, the arguments that they print are not known. */
const MAX_STAGES = 50;

/** Returns the same with one more thing that another stage may find: a program may have changed files that the text does not name. */
const tracesOfStage: typeof tracesOf = (findings, isLater) => `${tracesOf(findings, isLater)} ${isUntouched(findings)}`;

/** Walks the first stages of a pipeline. Returns how many of them come before the last one that leaves something. */
function walkStages(node: Shell.Pipeline, count: number, context: ShellContext, walker: Walker): number {
  const programs = node.commands.map(programsIn);
  let [earlier, traces] = [0, tracesOfStage(walker.findings)];
  for (const [i, command] of node.commands.slice(0, count).entries()) {
    const before = node.commands.slice(0, i);
    const upstream = [...context.upstream, ...programs.slice(0, i).flat()];
    const isPiped = i < node.commands.length - 1 || context.isPiped === true;
    const incoming =
      node.commands.length > MAX_STAGES
        ? ("any" as const)
        : pipedArguments(plainPipeline({ commands: before, operators: node.operators.slice(0, i) }), listFileAt(context, walker.findings));
    const input = i > 0 ? { fed: "pipe" as const, input: undefined, hereString: undefined, incoming } : {};
    walkCommand(command, { ...context, upstream, isPiped, ...input }, walker);
    if (traces !== (traces = tracesOfStage(walker.findings))) earlier = i;
  }
  return earlier;
}

function walkCommand(node: Shell.CommandNode, context: ShellContext, walker: Walker): Folders {
  const { findings } = walker;
  if (isOverTime()) return context.cwds;
  const body = (list: Shell.CompoundList, inner: ShellContext = context): Folders => walkStatements(list.commands, deeper(inner), walker);
  switch (node.type) {
    case "Command":
      return walkSimple(node, context, walker);
    case "Redirected": {
      const from = { ...context, upstream: [...context.upstream, ...programsIn(node.command)] };
      const fed = redirect(node.redirects, from, findings, (nodes) => readWords(nodes, context, walker));
      const incoming = node.command.type === "While" ? namesRedirected(node.redirects, listFileAt(context, findings)) : undefined;
      const inside = { ...contextWithInput(fed, context), ...omitUndefined({ incoming }) };
      return union(context.cwds, walkCommand(node.command, inside, walker)); // a redirect may fail
    }
    case "Subshell":
      body(node.body);
      return context.cwds;
    case "BraceGroup":
      return body(node.body);
    case "If": {
      context = withoutList(context);
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
      return walkFor(node, withoutList(context), walker);
    case "Case": {
      context = withoutList(context);
      readWords([node.word], context, walker);
      let ends = context.cwds;
      let carried: Folders = []; // after `;&` and `;;&`, any later item may follow
      for (const { pattern, body: list, terminator } of node.items) {
        readWords(pattern, context, walker);
        const end = body(list, { ...context, cwds: union(context.cwds, carried) });
        ends = union(ends, end);
        if (terminator !== ";;" && terminator !== undefined) carried = union(carried, end);
      }
      return ends;
    }
    case "TestCommand":
      walkTest(node.expression, context, walker);
      addCommand([literal("[[")], { context, findings, also: [] }, true);
      return context.cwds;
    case "ArithmeticCommand":
      judgeArithmetic([node.expression], context, walker);
      return context.cwds;
    case "ArithmeticFor":
      judgeArithmetic([node.initialize], context, walker);
      return walkRounds(node.body, context, walker, { between: () => judgeArithmetic([node.test, node.update], context, walker) });
    case "Select":
    case "Function":
    case "Coproc":
      findings.doubts.add(UNJUDGED[node.type]);
      if (node.body.type === "CompoundList") body(node.body);
      else walkCommand(node.body, deeper(context), walker);
      return context.cwds;
  }
}

const MAX_WALKED = 2_000;

/** Judges expressions, which may set variables to numbers. */
function judgeArithmetic(expressions: readonly (ArithmeticExpression | undefined)[], context: ShellContext, walker: Walker): void {
  const reading = judgingWordContext(context, walker);
  for (const each of expressions) {
    const set = each
      ? nodesIn(each).flatMap((node) =>
          node.type === "ArithmeticBinary" || node.type === "ArithmeticUnary" ? (assignedBy(node) ?? []) : [],
        )
      : [];
    if (each && !(set.every(ownVariable) && computesNumbers(each, reading))) walker.findings.doubts.add("computes with variables");
  }
  addCommand([literal("((")], { context, findings: walker.findings, also: [] }, true);
}

const UNJUDGED = {
  Select: "waits for a choice",
  Function: "gives a name to commands (a function)",
  Coproc: "goes on in the background, unseen",
};
