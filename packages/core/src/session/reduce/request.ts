import type { EventOf } from "../../protocol/event.ts";
import type { RequestId } from "../../protocol/ids.ts";
import type { SessionState } from "../state.ts";
import { withClosedRequest, withoutRequests, withCall, withTurn } from "./update-state.ts";

/** The question about trust belongs to the workspace, so it survives the turn. */
export const withoutTrust = (state: SessionState): SessionState => ({ ...state, trust: undefined });

/** Removes an answered question about a server or from one. */
export const withoutServer = (state: SessionState, requestId: RequestId): SessionState =>
  state.servers.some(({ request }) => request.id === requestId)
    ? { ...state, servers: state.servers.filter(({ request }) => request.id !== requestId) }
    : state;

/** Opens a request. Its place in the state follows from its subject. */
export function reduceRequestOpened(state: SessionState, { request }: EventOf<"request.opened">): SessionState {
  const next: SessionState = { ...state, counts: { ...state.counts, opened: state.counts.opened + 1 } };
  if ("call" in request.subject) return withCall(next, request.subject.call, { phase: "waiting", request });
  if ("workspace" in request.subject) return { ...next, trust: { request } };
  if (["server", "hooks", "network", "tools", "environment"].some((name) => name in request.subject))
    return { ...next, servers: [...state.servers, { request }] };
  return withTurn(next, (turn) => ({ ...withoutRequests(turn), request }));
}

/** Stores the first valid answer. What it means is decided from the resulting state. */
export function reduceRequestAnswered(state: SessionState, { requestId, answer, by }: EventOf<"request.answered">): SessionState {
  const denied = answer.choice === "deny" || answer.choice === "stop" ? 1 : 0;
  const counts = { ...state.counts, answered: state.counts.answered + 1, denied: state.counts.denied + denied };
  const next = withClosedRequest({ ...state, counts }, { id: requestId, by, answer, reason: "answered" });
  const call = state.calls.find((c) => c.request?.id === requestId);
  if (call) return withCall(next, call.id, { phase: "answered", answer, answeredBy: by });
  if (state.trust?.request.id === requestId) return { ...next, trust: { ...state.trust, answer, answeredBy: by } };
  if (state.servers.some(({ request }) => request.id === requestId))
    return {
      ...next,
      servers: state.servers.map((each) => (each.request.id === requestId ? { ...each, answer, answeredBy: by } : each)),
    };
  return withTurn(next, (turn) => (turn.request?.id === requestId ? { ...turn, answer } : turn));
}
