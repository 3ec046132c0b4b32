import type { SessionEvent } from "@baton/core/protocol/event";
import { endCoordination } from "@baton/core/session/coordination";
import type { EffectOf } from "@baton/core/session/next-effects";
import type { SessionState, Turn } from "@baton/core/session/state";
import { asksAbove, concludeAbove } from "../delegation/ancestor-budget.ts";
import { asksDay, concludeDay } from "./daily-budget.ts";
import { enter, mayCoordinate, mayEnter, raise } from "../coordination/run-coordination.ts";
import { concludeLimit } from "./limit-request.ts";
import type { Loop } from "../effect-context.ts";

/** The end of a turn. Baton puts a blocked one to the coordinator first, and leaves a coordinator that decided nothing. */
export function endTurn({ reason, message }: EffectOf<"endTurn">, state: SessionState, session: Loop): SessionEvent[] {
  const lack = { needs: needsOf(state) };
  if (reason === "blocked" && mayCoordinate(lack, state, session)) return raise(lack, state, session);
  const returned = endCoordination(state, session.parts.clock.now());
  return [...returned, { type: "turn.ended", reason, ...(message === undefined ? {} : { message }) }];
}

/** What the answer to a request of the turn itself means: coordination of a blocked turn, else its limit. */
export function concludeTurn(effect: EffectOf<"concludeTurn">, state: SessionState, session: Loop): SessionEvent[] {
  const { turn, answer } = effect;
  if (asksAbove(turn)) return [concludeAbove(turn, answer, state, session)];
  if (asksDay(turn)) return [concludeDay(turn, answer, state, session.parts)];
  if (!isBlocked(turn)) return [concludeLimit(effect, state)];
  if (answer.choice !== "accept" || !mayEnter(state)) return [{ type: "turn.ended", reason: "blocked" }];
  const closed = state.closed.find(({ id }) => id === turn.request?.id);
  return enter({ needs: needsOf(state) }, state, session, { by: closed?.by ?? { daemon: true }, requestId: closed?.id });
}

const isBlocked = ({ ending }: Turn): boolean => ending === "blocked";

/** What a blocked turn said in its last call. */
const needsOf = ({ calls }: SessionState): string => calls.findLast((call) => call.result?.ends === "blocked")?.result?.text ?? "";
