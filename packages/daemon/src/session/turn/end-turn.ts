import type { SessionEvent } from "@baton/core/protocol/event";
import { endCoordination } from "@baton/core/session/coordination";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { SessionState, Turn } from "@baton/core/session/state";
import { isAncestorBudgetRequest, resolveAncestorBudget } from "../delegation/ancestor-budget.ts";
import { isDailyBudgetRequest, resolveDailyBudget } from "./daily-budget.ts";
import { enterCoordinator, canEscalateToCoordinator, canEnterCoordinator, requestCoordination } from "../coordination/run-coordination.ts";
import { resolveLimit } from "./limit-request.ts";
import type { EffectContext } from "../effect-context.ts";

/** The end of a turn. Baton puts a blocked one to the coordinator first, and leaves a coordinator that decided nothing. */
export function endTurn({ reason, message }: EffectOf<"endTurn">, state: SessionState, session: EffectContext): SessionEvent[] {
  const lack = { needs: needsOf(state) };
  if (reason === "blocked" && canEscalateToCoordinator(lack, state, session)) return requestCoordination(lack, state, session);
  const returned = endCoordination(state, session.services.clock.now());
  return [...returned, { type: "turn.ended", reason, ...(message === undefined ? {} : { message }) }];
}

/** What the answer to a request of the turn itself means: coordination of a blocked turn, else its limit. */
export function turnEndEvents(effect: EffectOf<"concludeTurn">, state: SessionState, session: EffectContext): SessionEvent[] {
  const { turn, answer } = effect;
  if (isAncestorBudgetRequest(turn)) return [resolveAncestorBudget(turn, answer, state, session)];
  if (isDailyBudgetRequest(turn)) return [resolveDailyBudget(turn, answer, state, session.services)];
  if (!isBlocked(turn)) return [resolveLimit(effect, state)];
  if (answer.choice !== "accept" || !canEnterCoordinator(state)) return [{ type: "turn.ended", reason: "blocked" }];
  const closed = state.closed.find(({ id }) => id === turn.request?.id);
  return enterCoordinator({ needs: needsOf(state) }, state, session, { by: closed?.by ?? { daemon: true }, requestId: closed?.id });
}

const isBlocked = ({ ending }: Turn): boolean => ending === "blocked";

/** What a blocked turn said in its last call. */
const needsOf = ({ calls }: SessionState): string => calls.findLast((call) => call.result?.ends === "blocked")?.result?.text ?? "";
