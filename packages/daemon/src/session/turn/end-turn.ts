import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionEvent } from "@baton/core/protocol/event";
import { leaveCoordinatorMode } from "@baton/core/session/leave-coordinator-mode";
import type { TurnQuestion } from "@baton/core/protocol/request";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import type { SessionState, Turn } from "@baton/core/session/state";
import { checksBeforeEnd, failedChecks } from "../checks/run-checks.ts";
import { hooksBeforeEnd } from "../hooks/hooks-before-event.ts";
import { resolveAncestorBudget } from "../delegation/ancestor-budget.ts";
import { resolveDailyBudget } from "./daily-budget.ts";
import { enterCoordinator, canEscalateToCoordinator, canEnterCoordinator, requestCoordination } from "../coordination/run-coordination.ts";
import { resolveLimit } from "./limit-request.ts";
import type { EffectContext } from "../effects/effect-context.ts";

/** Ends a turn. Baton puts a blocked turn to the coordinator first, and leaves a coordinator that decided nothing. */
export function endTurn(effect: SessionEffectOf<"endTurn">, state: SessionState, session: EffectContext): SessionEvent[] {
  const { reason, message } = effect;
  const before = checksBeforeEnd(effect, state, session) ?? hooksBeforeEnd(effect, state, session);
  if (before) return before;
  const lack = { needs: needsOf(state) };
  if (reason === "blocked" && canEscalateToCoordinator(lack, state, session)) return requestCoordination(lack, state, session);
  const returned = leaveCoordinatorMode(state, session.services.clock.now());
  const why = message ?? (reason === "completed" ? failedChecks(state) : undefined);
  return [...returned, { type: "turn.ended", reason, ...omitUndefined({ message: why }) }];
}

/** The events that follow from the answer to a request about the turn itself. */
export function turnEndEvents(effect: SessionEffectOf<"concludeTurn">, state: SessionState, session: EffectContext): SessionEvent[] {
  const { turn, answer } = effect;
  switch (turnQuestion(turn)) {
    case "parentBudget":
      return [resolveAncestorBudget(turn, answer, state, session)];
    case "dailyBudget":
      return [resolveDailyBudget(turn, answer, state, session.services)];
    case "limit":
      return [resolveLimit(effect, state)];
    case "coordination": {
      if (answer.choice !== "accept" || !canEnterCoordinator(state)) return [{ type: "turn.ended", reason: "blocked" }];
      const closed = state.closed.find(({ id }) => id === turn.request?.id);
      return enterCoordinator({ needs: needsOf(state) }, state, session, { by: closed?.by ?? { daemon: true }, requestId: closed?.id });
    }
  }
}

/** The question that the request of a turn asks. Earlier versions of Baton wrote it into the id only. */
function turnQuestion({ request, ending }: Turn): TurnQuestion {
  if (request?.about) return request.about;
  if (/\.above\.\d+$/.test(request?.id ?? "")) return "parentBudget";
  if (/\.day\.\d+$/.test(request?.id ?? "")) return "dailyBudget";
  return ending === "blocked" ? "coordination" : "limit";
}

/** The text of the call that blocked the turn. */
const needsOf = ({ calls }: SessionState): string => calls.findLast((call) => call.result?.ends === "blocked")?.result?.text ?? "";
