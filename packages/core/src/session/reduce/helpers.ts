import type { CallId } from "../../protocol/ids.ts";
import type { Call, ClosedRequest, SessionState, Turn } from "../state.ts";

/** So many closed requests are remembered, for whoever answers late. */
const CLOSED_KEPT = 50;

/** The request is not open any more; what closed it first stays. */
export const closing = (state: SessionState, request: ClosedRequest): SessionState =>
  state.closed.some((known) => known.id === request.id) ? state : { ...state, closed: [...state.closed.slice(1 - CLOSED_KEPT), request] };

/** The call with this id, if there is one, changed. */
export const withCall = (state: SessionState, id: CallId, change: Partial<Call>): SessionState => ({
  ...state,
  calls: state.calls.map((call) => (call.id === id ? { ...call, ...change } : call)),
});

/** The turn, if there is one, changed. */
export const withTurn = (state: SessionState, change: (turn: Turn) => Turn): SessionState =>
  state.turn ? { ...state, turn: change(state.turn) } : state;

/** What the turn itself asked has been settled. */
export const withoutRequests = (turn: Turn): Turn => ({ ...turn, request: undefined, answer: undefined });
