import type { SessionEvent } from "@baton/core/protocol/event";
import { leaveCoordinatorMode } from "@baton/core/session/leave-coordinator-mode";
import type { SessionEffect, SessionEffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import { ancestorBudgetRequest } from "../delegation/ancestor-budget.ts";
import { dailyBudgetRequest } from "../turn/daily-budget.ts";
import { hooksBeforeCompaction, hooksBeforePrompts } from "../hooks/hooks-before-event.ts";
import { turnEndEvents, endTurn } from "../turn/end-turn.ts";
import { limitRequest } from "../turn/limit-request.ts";
import { resolveApproval } from "../calls/judge/resolve-approval.ts";
import { AWAITS_COORDINATION, judgeCall } from "../calls/judge/judge-call.ts";
import { runQuickTool, runTool } from "../calls/run/run-tool.ts";
import { isKnownTool, awaitServerStart, resolveServerRequest } from "../servers/server-requests.ts";
import { checksAfterEdits } from "../checks/run-checks.ts";
import { startModel } from "../turn/start-model.ts";
import type { EffectContext } from "./effect-context.ts";
import { transitionEvents } from "@baton/core/mode/mode-transition";
import { awaitChild } from "../delegation/delegate-task.ts";
import { compactConversation } from "../turn/compact-conversation.ts";
import { callModel } from "../turn/call-model.ts";
import { readDiagnostics } from "../calls/run/read-diagnostics.ts";
import { resolveHostRequest } from "../network/resolve-host-request.ts";
import { resolveTrust } from "../workspace/trust-request.ts";
import { runHook } from "../hooks/run-hook.ts";
import { restoreFiles } from "../history/undo-changes.ts";

/**
 * The events of all effects that change nothing outside the session. They are committed together with what caused them. Effects
 * with an outside action return nothing here; `performEffect` carries them out after the commit. A mode change is committed alone,
 * because other decisions were meant for the earlier mode.
 */
export async function decideEffect(
  effects: readonly SessionEffect[],
  state: SessionState,
  session: EffectContext,
): Promise<SessionEvent[]> {
  const calls = effects.flatMap((effect) =>
    effect.do === "judge" || effect.do === "conclude" || effect.do === "runTool" ? [effect.call] : [],
  );
  if (calls.length > 0) await session.services.store.shared?.catchUp();
  const isUnknown = (effect: SessionEffect) =>
    (effect.do === "judge" || effect.do === "conclude") && !isKnownTool(effect.call, state, session);
  const areThere =
    calls.every((call) => isKnownTool(call, state, session)) || (await session.looks.at("servers", () => awaitServerStart(state, session)));
  const isRead = !calls.some(({ tool }) => isCommand(tool, state, session)) || (await environmentIsRead(state, session));
  const waits = (effect: SessionEffect) =>
    (!areThere && isUnknown(effect)) ||
    (!isRead && (effect.do === "judge" || effect.do === "conclude") && isCommand(effect.call.tool, state, session));
  const ready = effects.filter((effect) => !waits(effect));
  const decided = await Promise.all(ready.map((effect) => decideOne(effect, state, session)));
  const changing = decided.find((events) => events.some(({ type }) => type === "mode.changed"));
  return changing ?? decided.filter((_, i) => ready[i]?.do !== "judge" || !isAfterCoordination(i, decided)).flat();
}

const isCommand = (tool: string, state: SessionState, { services }: EffectContext): boolean =>
  services.tools.of(state).get(tool)?.action === "command";

/** Commands are judged with the programs of their environment. After a restart of the daemon, nothing has read it yet. */
const environmentIsRead = async ({ workspace }: SessionState, { services, looks }: EffectContext): Promise<boolean> =>
  !services.environments.isUnread(workspace) ||
  (await looks.at("environment", () => services.environments.prepare(workspace))) !== undefined;

/** Whether an earlier call of the reply is about to change the mode, which would withdraw this one. */
const isAfterCoordination = (at: number, decided: readonly SessionEvent[][]): boolean => {
  const waiting = decided.indexOf(AWAITS_COORDINATION);
  return waiting >= 0 && waiting < at;
};

/** Checks the edits of the step before, and asks the user before a step that exceeds the budget of the parent or of the day. */
function startUnlessAsked(effect: SessionEffectOf<"startModel">, state: SessionState, session: EffectContext): SessionEvent[] {
  const checks = checksAfterEdits(state, session);
  if (checks) return checks;
  const budgetRequest = ancestorBudgetRequest(state, session) ?? dailyBudgetRequest(state, session);
  return budgetRequest ? [budgetRequest] : startModel(effect, state, session.services);
}

async function decideOne(effect: SessionEffect, state: SessionState, session: EffectContext): Promise<SessionEvent[]> {
  switch (effect.do) {
    case "deliver":
      return deliverPrompts(effect, state, session);
    case "startModel":
      return startUnlessAsked(effect, state, session);
    case "judge":
      return judgeCall(effect.call, state, session);
    case "conclude":
      return resolveApproval(effect.call, state, session);
    case "startTool":
      return [{ type: "tool.started", callId: effect.callId }];
    case "askLimit":
      return [limitRequest(effect, state, session)];
    case "concludeTurn":
      return turnEndEvents(effect, state, session);
    case "endTurn":
      return endTurn(effect, state, session);
    case "endCoordination":
      return leaveCoordinatorMode(state, session.services.clock.now());
    case "runTool":
      return runQuickTool(effect, state, session);
    case "compact":
      return hooksBeforeCompaction(effect, state, session);
    case "awaitRetry":
    case "callModel":
    case "readDiagnostics":
    case "runHook":
    case "awaitChild":
    case "settleTrust":
    case "settleServer":
    case "restoreFiles":
      return [];
  }
}

/** Moves queued prompts into the conversation. A prompt that names a mode changes the mode now, not while it waited. */
function deliverPrompts(effect: SessionEffectOf<"deliver">, state: SessionState, session: EffectContext): SessionEvent[] {
  const { promptIds } = effect;
  const { services } = session;
  const hooks = hooksBeforePrompts(effect, state, session);
  if (hooks) return hooks;
  const delivered: SessionEvent = { type: "prompt.delivered", promptIds };
  const switching = state.queue.findLast(({ promptId, switchTo }) => promptIds.includes(promptId) && switchTo !== undefined);
  if (switching?.switchTo === undefined || switching.switchTo === state.mode) return [delivered];
  return [...transitionEvents(state, { to: switching.switchTo, origin: "user", by: switching.by }, services.clock.now()), delivered];
}

/** Carries out one effect and reports its result. An expected failure is an event. A throw is a defect. */
export async function performEffect(effect: SessionEffect, session: EffectContext, signal: AbortSignal): Promise<void> {
  switch (effect.do) {
    case "callModel":
      return callModel(effect, session, signal);
    case "compact":
      return compactConversation(effect, session, signal);
    case "runTool":
      return runTool(effect, session, signal);
    case "readDiagnostics":
      return readDiagnostics(effect, session, signal);
    case "awaitChild":
      return awaitChild(effect, session, signal);
    case "runHook":
      return runHook(effect, session, signal);
    case "restoreFiles":
      return restoreFiles(effect, session, signal);
    case "settleTrust":
      return resolveTrust(effect, session, signal);
    case "settleServer":
      return "network" in effect.request.subject
        ? resolveHostRequest(effect, session, signal)
        : resolveServerRequest(effect, session, signal);
    case "awaitRetry":
      return awaitRetry(effect, session, signal);
    case "deliver":
    case "startModel":
    case "judge":
    case "conclude":
    case "startTool":
    case "askLimit":
    case "concludeTurn":
    case "endTurn":
    case "endCoordination":
      throw new Error(`${effect.do} is decided before the commit and never performed`);
  }
}

/** Waits until the model may be asked again, and starts it. An interrupt ends the wait at once. */
async function awaitRetry(effect: SessionEffectOf<"awaitRetry">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const { clock } = session.services;
  await clock.wait(Math.max(0, effect.until - clock.now()), signal);
  await session.report(effect.key, startModel(effect, session.state, session.services));
}
