import type { CallId } from "../../protocol/ids.ts";
import type { Call, ClosedRequest, SessionState, Turn } from "../state.ts";

/** How many closed requests are remembered, to answer clients that answer late. */
const CLOSED_KEPT = 50;

/** Closes a request. The first reason stays. */
export const withClosedRequest = (state: SessionState, request: ClosedRequest): SessionState =>
  state.closed.some((known) => known.id === request.id) ? state : { ...state, closed: [...state.closed.slice(1 - CLOSED_KEPT), request] };

/** Changes the call with this id, if there is one. */
export const withCall = (state: SessionState, id: CallId, change: Partial<Call>): SessionState => ({
  ...state,
  calls: state.calls.map((call) => (call.id === id ? { ...call, ...change } : call)),
});

/** Changes the turn, if there is one. */
export const withTurn = (state: SessionState, change: (turn: Turn) => Turn): SessionState =>
  state.turn ? { ...state, turn: change(state.turn) } : state;

/** Removes the request about the turn itself. */
export const withoutRequests = (turn: Turn): Turn => ({ ...turn, request: undefined, answer: undefined });

const MAX_ENDED_CALLS = 16;

/** The open calls, and the most recent ended ones. */
export function callsToKeep(calls: readonly Call[]): Call[] {
  const ended = calls.filter(({ phase }) => phase === "done").slice(0, -MAX_ENDED_CALLS);
  return calls.filter((call) => !ended.includes(call));
}
