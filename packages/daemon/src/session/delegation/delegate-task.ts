import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "@baton/core/text/omit-undefined";
import { createHash } from "node:crypto";
import type { ChildStatus, ToolResult } from "@baton/core/protocol/tool-call";
import type { DelegatedTask, Limits, SessionEvent, TaskSchedule } from "@baton/core/protocol/event";
import { MAX_SHARED_VARIABLES_LENGTH } from "@baton/core/protocol/shared-task-variables";
import { mergeVariables } from "./merge-variables.ts";
import type { Mode } from "@baton/core/protocol/mode";
import { childIdOf, type PromptId, type SessionId } from "@baton/core/protocol/ids";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import type { Call, SessionState } from "@baton/core/session/state";
import { combinedLimits, inheritedLimits, missingGroupRules } from "@baton/core/mode/mode-rules";
import { groupsOf } from "@baton/core/mode/tool-groups";
import { sessionCost, costLimit, childSpending } from "@baton/core/session/usage/session-limits";
import { formatDuration } from "@baton/core/text/format";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { failed, ok, type Delegation, type DelegatingTool, type ToolExecutionResult } from "../../tool/tool-types.ts";
import { childChangeEvents } from "./report-child-changes.ts";
import { runInBackground } from "../run-in-background.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { modeOfStep, originOfCoordination } from "../mode-of-step.ts";
import type { ChildEnd } from "../session-dependencies.ts";

/**
 * Runs a delegated call. Its child is named after the call, so that it is found again after a crash and not started twice. A
 * background task ends the call at once.
 */
export async function delegateTask(
  call: Call,
  tool: DelegatingTool,
  input: unknown,
  session: EffectContext,
  signal: AbortSignal,
): Promise<ToolExecutionResult> {
  const delegation = checkDelegation(tool, input, session.state, session.services);
  if ("outcome" in delegation) return delegation;
  const child = await delegated(call, delegation, session);
  if ("outcome" in child) return child;
  if (delegation.background) {
    const text = `${child.childId} works on it in mode ${child.mode}${inPlace(child)}. Its result will arrive as a separate message.`;
    return ok(text, { end: "in the background", events: [{ type: "child.started", child }] });
  }
  const missing = await earlier(child, call, session, signal);
  if (missing) return missing;
  const end = await runChild(child, session, signal);
  const { text, events } = report(child, end, session);
  const { childId, mode } = child;
  const { status, steps, cost, tookMs } = end;
  const facts = { childId, mode, status, steps, cost, tookMs, ...taskPlan(child) };
  return { outcome: status === "completed" ? "ok" : "failed", text, end: endLine(end), child: facts, events };
}

/**
 * Checks a delegation. It is refused if it would be too deep, or if the same task is already running above this session,
 * because that would never end.
 */
export function checkDelegation(
  tool: DelegatingTool,
  input: unknown,
  state: Pick<SessionState, "workspace" | "parent" | "mode" | "step">,
  { modes, children }: Pick<EffectContext["services"], "modes" | "children">,
): Delegation | ToolResult {
  const { workspace, parent } = state;
  const delegation = tool.delegate(input, { modes: modes(workspace).nameable(modeOfStep(state)) });
  if ("outcome" in delegation) return delegation;
  const above = parent?.lineage ?? [];
  const depth = above.length + 1;
  if (depth > children.maxDepth())
    return failed(
      `This session is ${above.length} levels below the user's session, and limits.childDepth allows no more. Do the work here, or end with attempt_completion and say what is missing.`,
      { end: "too deep" },
    );
  if (above.includes(taskDigest(delegation)))
    return failed(
      "The same task in the same mode is already running: this session works for it. Do the work here, or delegate a smaller part of it.",
      { end: "a cycle" },
    );
  return delegation;
}

const taskDigest = ({ mode, prompt }: Pick<Delegation, "mode" | "prompt">): string =>
  createHash("sha256").update(`${mode}\n${prompt}`).digest("hex").slice(0, 16);

/** Waits for a background child, and reports its result to the parent in a message. */
export async function awaitChild(
  { key, child }: SessionEffectOf<"awaitChild">,
  session: EffectContext,
  signal: AbortSignal,
): Promise<void> {
  const end = await runChild(child, session, signal);
  if (signal.aborted) return;
  const { text, events } = report(child, end, session);
  const reportEvent: SessionEvent = {
    type: "prompt.received",
    promptId: `child-${child.callId}` as PromptId,
    text,
    delivery: "steer",
    mode: session.state.mode,
    synthetic: "delegate",
    by: { daemon: true },
  };
  // A task that was stopped together with its parent must not make the parent continue.
  const isStopped = end.status === "cancelled" && session.state.lastTurn?.reason === "stopped" && !session.state.turn;
  await session.report(key, [
    { type: "child.ended", childId: child.childId, status: end.status },
    ...events,
    ...(isStopped ? [] : [reportEvent]),
  ]);
}

const taskPlan = ({ priority, estimatedMinutes }: TaskSchedule): TaskSchedule => ({
  priority,
  ...omitUndefined({ estimatedMinutes }),
});

/** Names the child. An isolated one gets its place first, the same one again after a crash. */
async function delegated(
  call: Call,
  { background: _, isolated, ...delegation }: Delegation,
  { id, state, services }: EffectContext,
): Promise<DelegatedTask | ToolResult> {
  const child = { ...delegation, childId: childIdOf(id, call.id), callId: call.id };
  if (!isolated) return child;
  const place = await services.places.isolate(state.workspace, child.childId);
  return "refused" in place ? failed(`The task has no worktree of its own: ${place.refused.message}`) : { ...child, place };
}

const inPlace = ({ place }: DelegatedTask): string => (place ? ` in the place ${place.name} (${place.workspace})` : "");

async function runChild(child: DelegatedTask, session: EffectContext, signal: AbortSignal): Promise<ChildEnd> {
  const { children, report: complain } = session.services;
  try {
    const reportProgress = telling(child, session);
    const count = counting(child, session);
    const watch = (state: SessionState) => (reportProgress(state), count(state));
    return await children.run(session.id, child, () => beginning(child, session), watch, signal);
  } catch (error) {
    if (signal.aborted && !isAwaited(child, session.state)) runInBackground(children.cancel(child.childId), complain);
    throw error;
  }
}

/** Shows the progress of the child, one line per step. */
function telling({ callId }: DelegatedTask, { live }: EffectContext): (state: SessionState) => void {
  let reported = "";
  return ({ counts, todos }) => {
    const done = todos.filter(({ state }) => state === "done").length;
    const doing = todos.find(({ state }) => state === "doing")?.text ?? "";
    const line = [`step ${counts.steps}`, todos.length > 0 ? `${done} of ${todos.length} done` : "", doing].filter(Boolean).join(" · ");
    if (line === reported) return;
    reported = line;
    live.output(callId, `${line}\n`);
  };
}

/** Records the cost of the child while it runs, if the parent has a limit. */
function counting({ childId }: DelegatedTask, session: EffectContext): (state: SessionState) => void {
  let reported = session.state.below.find((each) => each.childId === childId)?.cost ?? 0;
  let allowed = session.state.below.find((each) => each.childId === childId)?.raised ?? 0;
  return (state) => {
    const { cost, raised } = childSpending(state);
    if (session.state.costBudget === undefined || (cost === reported && raised === allowed)) return;
    reported = cost;
    allowed = raised;
    runInBackground(session.note([{ type: "child.spent", childId, cost, raised }]), session.services.report);
  };
}

/** Whether the parent still waits for this child. After a stop of the daemon the child continues at the next start. */
export const isAwaited = ({ childId, callId }: Pick<DelegatedTask, "childId" | "callId">, { calls, children }: SessionState): boolean =>
  calls.some(({ id, phase }) => id === callId && phase === "running") || children.some((child) => child.childId === childId);

/** The first events of a child: its task, and what it may not do in any mode. */
function beginning(child: DelegatedTask, session: EffectContext): SessionEvent[] {
  const { state, services, id } = session;
  const by = { daemon: true } as const;
  const model = state.step?.model;
  const ceilings = ceilingsFor(child, session);
  return [
    {
      type: "session.created",
      workspace: child.place?.workspace ?? state.workspace,
      mode: child.mode,
      stepLimit: stepsLeft(state),
      limits: remaining(state),
      parent: {
        sessionId: id,
        callId: child.callId,
        lineage: [...(state.parent?.lineage ?? []), taskDigest(child)],
        task: taskPlan(child),
      },
      by,
      ...(ceilings.length === 0 ? {} : { ceilings }),
      ...(Object.keys(state.variables).length === 0 ? {} : { variables: state.variables }),
    },
    ...state.roots.map((root): SessionEvent => ({ type: "root.added", root, by })),
    { type: "session.renamed", title: taskTitle(child.prompt) },
    ...(child.todos.length === 0 ? [] : [{ type: "todos.changed" as const, todos: child.todos }]),
    {
      type: "prompt.received",
      promptId: `task-${child.callId}` as PromptId,
      text: `${child.prompt}${shared(state)}\n\n${handedOver(child, services.modes(state.workspace).get(state.step?.mode ?? state.mode)?.name ?? state.mode)}`,
      delivery: "queue",
      mode: child.mode,
      synthetic: "delegate",
      by,
      ...(model ? { model } : {}),
    },
  ];
}

const stepsLeft = ({ turn, stepLimit }: SessionState): number =>
  turn ? Math.max(1, Math.min(turn.budget - turn.steps, turn.inMode ? turn.inMode.budget - turn.inMode.steps : Infinity)) : stepLimit;

/**
 * A child's budget is the rest of its parent's budget. If several children spend it at once, each of them asks when nothing is
 * left.
 */
function remaining(state: SessionState): Limits {
  const { limits, costBudget, turn } = state;
  const { timeMs, output } = limits;
  return {
    ...(costBudget === undefined ? {} : { cost: Math.max(0.01, costLimit(state) - sessionCost(state)) }),
    ...(timeMs === undefined ? {} : { timeMs: Math.max(1_000, (turn?.timeBudgetMs ?? timeMs) - (turn?.workedMs ?? 0)) }),
    ...omitUndefined({ output }),
  };
}

const shared = ({ variables }: SessionState): string =>
  Object.keys(variables).length === 0 ? "" : `\n\nFrom earlier tasks: ${JSON.stringify(variables)}`;

const handedOver = ({ childId, priority }: DelegatedTask, from: string): string =>
  `(This task was delegated to you by ${from}. Its id is ${childId}, its priority ${priority}. Keep to it. End with attempt_completion and report what you found and did. The result goes back to ${from}.)`;

const taskTitle = (prompt: string): string => (prompt.split("\n").findLast((line) => line.trim() !== "") ?? prompt).trim().slice(0, 80);

/** All descendants of a session in one of these modes may change nothing. A mode that only lacks tools does not limit its descendants. */
const READ_ONLY = new Set(["plan", "ask"]);
const CHANGING = new Set(["edit", "command"]);

/** Modes that only search for their parent. They get the parent's limits, such as its files, unless the parent only delegates. */
const SEARCHING = new Set(["explore"]);

/** The limits of a child. A coordination delegates within the limits of the mode from which it started. */
function ceilingsFor(child: DelegatedTask, { state, services }: EffectContext): SourcedRule[] {
  const modes = services.modes(state.workspace);
  const mode = modes.get(originOfCoordination(state) ?? modeOfStep(state));
  const own = ceilingsOfChanges(state, mode);
  const childMode = modes.get(child.mode);
  if (!mode || !childMode || !SEARCHING.has(child.mode) || !groupsOf(mode).includes("read")) return own;
  return inheritedLimits(mode, groupsOf(childMode), [own]).map((rule) =>
    own.includes(rule) ? rule : { ...rule, source: `parent in ${rule.source}` },
  );
}

function ceilingsOfChanges({ ceilings }: SessionState, mode: Mode | undefined): SourcedRule[] {
  if (!mode || !READ_ONLY.has(mode.slug)) return [...ceilings];
  const changes = missingGroupRules(mode)
    .filter(({ action }) => CHANGING.has(action))
    .map((rule) => ({ ...rule, source: `parent in ${rule.source}` }));
  const isInherited = changes.every((rule) => ceilings.some((other) => isSameLimit(rule, other)));
  return isInherited ? [...ceilings] : combinedLimits([ceilings, changes]);
}

const isSameLimit = ({ source: _, ...one }: SourcedRule, { source: __, ...other }: SourcedRule): boolean => isDeepStrictEqual(one, other);

/** Waits for the tasks of the same reply that must come before this one. */
async function earlier(
  { after }: DelegatedTask,
  call: Call,
  session: EffectContext,
  signal: AbortSignal,
): Promise<ToolExecutionResult | undefined> {
  const before = session.state.calls.slice(
    0,
    session.state.calls.findIndex(({ id }) => id === call.id),
  );
  const predecessors = after.map((name) =>
    before.find(({ id }, i) => name === id || name === String(i + 1) || name === `${session.id}.${id}`),
  );
  if (predecessors.includes(undefined))
    return failed(
      `after: there is no earlier task ${after.filter((_, i) => !predecessors[i]).join(", ")} in this reply. Name tasks by their position: 1, 2, ...`,
    );
  const ids = new Set(predecessors.map((predecessor) => predecessor?.id));
  for (;;) {
    signal.throwIfAborted();
    const changed = session.live.changed(signal);
    if (session.state.calls.every(({ id, phase }) => !ids.has(id) || phase === "done")) return undefined;
    await changed;
  }
}

const statusTexts: Record<ChildStatus, string> = {
  completed: "completed",
  failed: "failed",
  cancelled: "was cancelled",
  limit: "stopped at its limit",
  blocked: "is blocked: it lacks something that it needs",
  denied: "ended because something was denied",
};

/** The result of a child as the parent's model reads it, and the variables that the parent takes over. */
function report(
  child: DelegatedTask,
  end: ChildEnd,
  { id, state: { variables } }: EffectContext,
): { text: string; events: SessionEvent[] } {
  const { values, conflicts, tooLong } = mergeVariables(variables, end.initialVariables, end.finalVariables);
  const names = Object.keys(values).join(", ");
  const reported = [
    words(child, end, id),
    names && `Shared with later tasks: ${JSON.stringify(values)}.`,
    conflicts.length > 0 && `Another task changed ${conflicts.join(", ")} in the meantime. The values above apply now.`,
    tooLong && `Its variables were not taken over: together they would exceed ${MAX_SHARED_VARIABLES_LENGTH / 1_000} kB.`,
  ];
  const shared: SessionEvent[] = names ? [{ type: "variables.changed", values, from: child.childId }] : [];
  return {
    text: reported.filter(Boolean).join("\n\n"),
    events: child.place ? shared : [...shared, ...end.files.flatMap((file) => childChangeEvents(file, child.callId))], // the parent's files did not change
  };
}

function words(child: DelegatedTask, { status, text, steps, cost, tookMs }: ChildEnd, parent: SessionId): string {
  const { childId, mode, prompt, priority, estimatedMinutes } = child;
  const facts = `Task ${childId} in mode ${mode} ${statusTexts[status]} after ${steps === 1 ? "1 step" : `${steps} steps`}${cost > 0 ? ` ($${cost.toFixed(4)})` : ""}.`;
  const again = status === "completed" ? "" : " The user can continue it in its own session. To try again, delegate again.";
  const estimate = estimatedMinutes === undefined ? "" : ` of an estimated ${formatDuration(estimatedMinutes * 60_000)}`;
  const about = `Description: ${taskTitle(prompt)}. Priority: ${priority}. Parent: ${parent}. Duration: ${formatDuration(tookMs)}${estimate}.`;
  const where = child.place
    ? `\n\nIts changes are in the place ${child.place.name}, not in your workspace: ${child.place.workspace}. The user can bring them over with \`baton places apply ${child.place.name}\`.`
    : "";
  return `${facts}${again}\n${about}\n\n${text || "It said nothing."}${where}`;
}

const endLine = ({ status, steps }: ChildEnd): string =>
  `${statusTexts[status].split(":")[0]} · ${steps} ${steps === 1 ? "step" : "steps"}`;
