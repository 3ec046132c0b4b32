import { createHash } from "node:crypto";
import type { ChildStatus, Result } from "@baton/core/protocol/call";
import type { DelegatedTask, Limits, SessionEvent, TaskPlan } from "@baton/core/protocol/event";
import { MAX_SHARED } from "@baton/core/protocol/shared-variables";
import { mergeVariables } from "@baton/core/session/merge-variables";
import { childIdOf, type PromptId, type SessionId } from "@baton/core/protocol/ids";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { Call, SessionState } from "@baton/core/session/state";
import { missingGroupRules } from "@baton/core/mode/mode-rules";
import { sessionCost, costLimit, childSpending } from "@baton/core/session/session-limits";
import { formatDuration } from "@baton/core/text/format";
import type { PlacedRule } from "@baton/core/protocol/rule";
import { failed, ok, type Delegation, type DelegatingTool, type Outcome } from "../../tool/tool-types.ts";
import { childChangeEvents } from "./report-child-changes.ts";
import { runInBackground } from "../run-in-background.ts";
import type { EffectContext } from "../effect-context.ts";
import type { ChildEnd } from "../session-dependencies.ts";

/**
 * Runs a delegated call: its child is named after the call, so it is found again after a crash, not begun twice. One that
 * is to run in the background ends the call at once.
 */
export async function delegateTask(
  call: Call,
  tool: DelegatingTool,
  input: unknown,
  session: EffectContext,
  signal: AbortSignal,
): Promise<Outcome> {
  const delegation = checkDelegation(tool, input, session.state, session.services);
  if ("outcome" in delegation) return delegation;
  const child = delegated(call, delegation, session);
  if (delegation.background) {
    const text = `${child.childId} works on it in mode ${child.mode}. Its result will come as a message of its own.`;
    return ok(text, { end: "in the background", events: [{ type: "child.started", child }] });
  }
  const missing = await earlier(child, call, session, signal);
  if (missing) return missing;
  const end = await runChild(child, session, signal);
  const { text, events } = report(child, end, session);
  const { childId, mode } = child;
  const { status, steps, cost, tookMs } = end;
  const facts = { childId, mode, status, steps, cost, tookMs, ...planOf(child) };
  return { outcome: status === "completed" ? "ok" : "failed", text, end: endLine(end), child: facts, events };
}

/**
 * What the call hands on, or why it cannot: too many levels below the session of the user, or a task that is under way
 * above this one already, which would go on for ever.
 */
export function checkDelegation(
  tool: DelegatingTool,
  input: unknown,
  { workspace, parent }: Pick<SessionState, "workspace" | "parent">,
  { modes, children }: Pick<EffectContext["services"], "modes" | "children">,
): Delegation | Result {
  const delegation = tool.delegate(input, { modes: modes(workspace).all() });
  if ("outcome" in delegation) return delegation;
  const above = parent?.lineage ?? [];
  const depth = above.length + 1;
  if (depth > children.maxDepth())
    return failed(
      `This session is ${above.length} levels below the session of the person, and limits.childDepth allows no more. Do the work here, or end with attempt_completion and say what is missing.`,
      { end: "too deep" },
    );
  if (above.includes(digestOf(delegation)))
    return failed(
      "The same task in the same mode is under way already: this session works for it. Do the work here, or hand on a smaller part of it.",
      { end: "a cycle" },
    );
  return delegation;
}

const digestOf = ({ mode, prompt }: Pick<Delegation, "mode" | "prompt">): string =>
  createHash("sha256").update(`${mode}\n${prompt}`).digest("hex").slice(0, 16);

/** Waits for a child that runs in the background, and tells the parent in a message what came of it. */
export async function awaitChild({ key, child }: EffectOf<"awaitChild">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const end = await runChild(child, session, signal);
  if (signal.aborted) return;
  const { text, events } = report(child, end, session);
  const said: SessionEvent = {
    type: "prompt.received",
    promptId: `child-${child.callId}` as PromptId,
    text,
    delivery: "steer",
    mode: session.state.mode,
    synthetic: "delegate",
    by: { daemon: true },
  };
  // A task that was stopped with its parent must not make the parent go on.
  const isStopped = end.status === "cancelled" && session.state.lastTurn?.reason === "stopped" && !session.state.turn;
  await session.report(key, [{ type: "child.ended", childId: child.childId, status: end.status }, ...events, ...(isStopped ? [] : [said])]);
}

const planOf = ({ priority, estimatedMinutes }: TaskPlan): TaskPlan => ({
  priority,
  ...(estimatedMinutes === undefined ? {} : { estimatedMinutes }),
});

function delegated(call: Call, { background: _, ...delegation }: Delegation, { id }: EffectContext): DelegatedTask {
  return { ...delegation, childId: childIdOf(id, call.id), callId: call.id };
}

async function runChild(child: DelegatedTask, session: EffectContext, signal: AbortSignal): Promise<ChildEnd> {
  const { children, report: complain } = session.services;
  try {
    const tell = telling(child, session);
    const count = counting(child, session);
    const watch = (state: SessionState) => (tell(state), count(state));
    return await children.run(session.id, child, () => beginning(child, session), watch, signal);
  } catch (error) {
    if (signal.aborted && !isAwaited(child, session.state)) runInBackground(children.cancel(child.childId), complain);
    throw error;
  }
}

/** Shows how far the child has come, a line for each of its steps. */
function telling({ callId }: DelegatedTask, { live }: EffectContext): (state: SessionState) => void {
  let told = "";
  return ({ counts, todos }) => {
    const done = todos.filter(({ state }) => state === "done").length;
    const doing = todos.find(({ state }) => state === "doing")?.text ?? "";
    const line = [`step ${counts.steps}`, todos.length > 0 ? `${done} of ${todos.length} done` : "", doing].filter(Boolean).join(" · ");
    if (line === told) return;
    told = line;
    live.output(callId, `${line}\n`);
  };
}

/** Writes down what the child costs as it goes, where the parent has a limit for it. */
function counting({ childId }: DelegatedTask, session: EffectContext): (state: SessionState) => void {
  let told = session.state.below.find((each) => each.childId === childId)?.cost ?? 0;
  let allowed = session.state.below.find((each) => each.childId === childId)?.raised ?? 0;
  return (state) => {
    const { cost, raised } = childSpending(state);
    if (session.state.costBudget === undefined || (cost === told && raised === allowed)) return;
    [told, allowed] = [cost, raised];
    runInBackground(session.note([{ type: "child.spent", childId, cost, raised }]), session.services.report);
  };
}

/** Whether the parent still waits for this child; a daemon that stops leaves it to go on after the next start. */
export const isAwaited = ({ childId, callId }: Pick<DelegatedTask, "childId" | "callId">, { calls, children }: SessionState): boolean =>
  calls.some(({ id, phase }) => id === callId && phase === "running") || children.some((child) => child.childId === childId);

/** The first events of a child: what it is, what it is to do, and what it may not do whatever its mode. */
function beginning(child: DelegatedTask, session: EffectContext): SessionEvent[] {
  const { state, services, id } = session;
  const by = { daemon: true } as const;
  const model = state.step?.model;
  const ceilings = ceilingsFor(session);
  return [
    {
      type: "session.created",
      workspace: state.workspace,
      mode: child.mode,
      stepLimit: stepsLeft(state),
      limits: remaining(state),
      parent: { sessionId: id, callId: child.callId, lineage: [...(state.parent?.lineage ?? []), digestOf(child)], task: planOf(child) },
      by,
      ...(ceilings.length === 0 ? {} : { ceilings }),
      ...(Object.keys(state.variables).length === 0 ? {} : { variables: state.variables }),
    },
    { type: "session.renamed", title: titleOf(child.prompt) },
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

/** A child's budget is what is left of its parent's; where several spend it at once, each of them asks when nothing is left. */
function remaining(state: SessionState): Limits {
  const { limits, costBudget, turn } = state;
  const { timeMs, output } = limits;
  return {
    ...(costBudget === undefined ? {} : { cost: Math.max(0.01, costLimit(state) - sessionCost(state)) }),
    ...(timeMs === undefined ? {} : { timeMs: Math.max(1_000, (turn?.timeBudgetMs ?? timeMs) - (turn?.workedMs ?? 0)) }),
    ...(output === undefined ? {} : { output }),
  };
}

const shared = ({ variables }: SessionState): string =>
  Object.keys(variables).length === 0 ? "" : `\n\nFrom earlier tasks: ${JSON.stringify(variables)}`;

const handedOver = ({ childId, priority }: DelegatedTask, from: string): string =>
  `(This task is delegated to you by ${from}. Its id is ${childId}, its priority ${priority}. Keep to it. End with attempt_completion and report what you found and did; the result goes back to ${from}.)`;

const titleOf = (prompt: string): string => (prompt.split("\n").findLast((line) => line.trim() !== "") ?? prompt).trim().slice(0, 80);

/** Modes whose intent is to change nothing hand that on to all below them; a mode that merely lacks tools does not. */
const READ_ONLY = new Set(["plan", "ask"]);
const CHANGING = new Set(["edit", "command"]);

function ceilingsFor({ state, services }: EffectContext): PlacedRule[] {
  const mode = services.modes(state.workspace).get(state.step?.mode ?? state.mode);
  if (state.ceilings.length > 0 || !mode || !READ_ONLY.has(mode.slug)) return [...state.ceilings];
  return missingGroupRules(mode)
    .filter(({ action }) => CHANGING.has(action))
    .map((rule) => ({ ...rule, source: `parent in ${rule.source}` }));
}

/** Waits for the tasks of the same reply that this one comes after. */
async function earlier({ after }: DelegatedTask, call: Call, session: EffectContext, signal: AbortSignal): Promise<Outcome | undefined> {
  const before = session.state.calls.slice(
    0,
    session.state.calls.findIndex(({ id }) => id === call.id),
  );
  const places = after.map((name) => before.find(({ id }, i) => name === id || name === String(i + 1) || name === `${session.id}.${id}`));
  if (places.includes(undefined))
    return failed(
      `after: there is no earlier task ${after.filter((_, i) => !places[i]).join(", ")} in this reply. Name tasks by their place: 1, 2, ...`,
    );
  const ids = new Set(places.map((place) => place?.id));
  for (;;) {
    signal.throwIfAborted();
    const changed = session.live.changed(signal);
    if (session.state.calls.every(({ id, phase }) => !ids.has(id) || phase === "done")) return undefined;
    await changed;
  }
}

const says: Record<ChildStatus, string> = {
  completed: "completed",
  failed: "failed",
  cancelled: "was cancelled",
  limit: "stopped at its limit",
  blocked: "is blocked: it lacks something that it needs",
  denied: "ended because something was denied",
};

/** What the parent's model reads of a child, and what the parent takes over from it. */
function report(
  child: DelegatedTask,
  end: ChildEnd,
  { id, state: { variables } }: EffectContext,
): { text: string; events: SessionEvent[] } {
  const { values, conflicts, tooLong } = mergeVariables(variables, end.given, end.handed);
  const names = Object.keys(values).join(", ");
  const told = [
    words(child, end, id),
    names && `Shared with later tasks: ${JSON.stringify(values)}.`,
    conflicts.length > 0 && `Another task had changed ${conflicts.join(", ")} meanwhile; what stands here counts now.`,
    tooLong && `Its variables were not taken over: together they would be more than ${MAX_SHARED / 1_000} kB.`,
  ];
  const shared: SessionEvent[] = names ? [{ type: "variables.changed", values, from: child.childId }] : [];
  return {
    text: told.filter(Boolean).join("\n\n"),
    events: [...shared, ...end.files.flatMap((file) => childChangeEvents(file, child.callId))],
  };
}

function words(child: DelegatedTask, { status, text, steps, cost, tookMs }: ChildEnd, parent: SessionId): string {
  const { childId, mode, prompt, priority, estimatedMinutes } = child;
  const facts = `Task ${childId} in mode ${mode} ${says[status]} after ${steps === 1 ? "1 step" : `${steps} steps`}${cost > 0 ? ` ($${cost.toFixed(4)})` : ""}.`;
  const again = status === "completed" ? "" : " It can be taken up again by a person in its session; to try anew, delegate again.";
  const estimate = estimatedMinutes === undefined ? "" : ` of an estimated ${formatDuration(estimatedMinutes * 60_000)}`;
  const about = `Description: ${titleOf(prompt)}. Priority: ${priority}. Parent: ${parent}. Duration: ${formatDuration(tookMs)}${estimate}.`;
  return `${facts}${again}\n${about}\n\n${text || "It said nothing."}`;
}

const endLine = ({ status, steps }: ChildEnd): string => `${says[status].split(":")[0]} · ${steps} ${steps === 1 ? "step" : "steps"}`;
