import type { SessionEvent } from "@baton/core/protocol/event";
import { endCoordination } from "@baton/core/session/coordination";
import type { Effect, EffectOf } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";
import { askAncestorBudget } from "../delegation/ancestor-budget.ts";
import { askDailyBudget } from "../turn/daily-budget.ts";
import { deliverPrompts } from "../turn/deliver-prompts.ts";
import { hooksBeforeCompaction } from "../hooks/hooks-before.ts";
import { turnEndEvents, endTurn } from "../turn/end-turn.ts";
import { askLimit } from "../turn/limit-request.ts";
import { resolveCall } from "../calls/judge/resolve-call.ts";
import { AWAITS_COORDINATION, judgeCall } from "../calls/judge/judge-call.ts";
import { runQuickTool } from "../calls/run/run-quick-tool.ts";
import { isKnownTool, serversStarted } from "../servers/session-servers.ts";
import { checksAfterEdits } from "../checks/run-checks.ts";
import { startModel } from "../turn/start-model.ts";
import type { EffectContext } from "./effect-context.ts";

/**
 * The events of all effects that change nothing outside the session. They are committed together with what caused them. Effects
 * with an outside action return nothing here; `performEffect` carries them out after the commit. A mode change is committed alone,
 * because other decisions were meant for the earlier mode.
 */
export async function decideEffect(effects: readonly Effect[], state: SessionState, session: EffectContext): Promise<SessionEvent[]> {
  const calls = effects.flatMap((effect) =>
    effect.do === "judge" || effect.do === "conclude" || effect.do === "runTool" ? [effect.call] : [],
  );
  if (calls.length > 0) await session.services.store.shared?.catchUp();
  const isUnknown = (effect: Effect) => (effect.do === "judge" || effect.do === "conclude") && !isKnownTool(effect.call, state, session);
  const areThere =
    calls.every((call) => isKnownTool(call, state, session)) || (await session.looks.at("servers", () => serversStarted(state, session)));
  const isRead = !calls.some(({ tool }) => isCommand(tool, state, session)) || (await environmentIsRead(state, session));
  const waits = (effect: Effect) =>
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
function startUnlessAsked(effect: EffectOf<"startModel">, state: SessionState, session: EffectContext): SessionEvent[] {
  const checks = checksAfterEdits(state, session);
  if (checks) return checks;
  const budgetRequest = askAncestorBudget(state, session) ?? askDailyBudget(state, session);
  return budgetRequest ? [budgetRequest] : startModel(effect, state, session.services);
}

async function decideOne(effect: Effect, state: SessionState, session: EffectContext): Promise<SessionEvent[]> {
  switch (effect.do) {
    case "deliver":
      return deliverPrompts(effect, state, session);
    case "startModel":
      return startUnlessAsked(effect, state, session);
    case "judge":
      return judgeCall(effect.call, state, session);
    case "conclude":
      return resolveCall(effect.call, state, session);
    case "startTool":
      return [{ type: "tool.started", callId: effect.callId }];
    case "askLimit":
      return [askLimit(effect, state, session)];
    case "concludeTurn":
      return turnEndEvents(effect, state, session);
    case "endTurn":
      return endTurn(effect, state, session);
    case "endCoordination":
      return endCoordination(state, session.services.clock.now());
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
