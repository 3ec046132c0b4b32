import type { SessionEvent } from "@baton/core/protocol/event";
import type { CallId } from "@baton/core/protocol/ids";
import { transitionEvents, type ModeTransitionRequest } from "@baton/core/mode/mode-transition";
import type { Call, SessionState } from "@baton/core/session/state";

/**
 * The events of a mode change by the agent or the daemon. A call that changes the mode must be the only one: other calls of its
 * reply that have not started are closed, because they were meant for the earlier mode.
 */
export function modeChangeEvents(target: ModeTransitionRequest, state: SessionState, own: CallId | undefined, now: number): SessionEvent[] {
  const others = state.calls.filter((call) => call.id !== own && notBegun(call));
  return [...others.flatMap((call) => closedUnrun(call, target.to)), ...transitionEvents(state, target, now)];
}

function closedUnrun(call: Call, mode: string): SessionEvent[] {
  const text = `Not run: the mode changed to ${mode} first. Call it again if it is still needed.`;
  return [...withdrawRequest(call), { type: "tool.finished", callId: call.id, result: { outcome: "interrupted", text, end: "not run" } }];
}

/** Closes the open request of a call that ends without an answer. */
export const withdrawRequest = ({ phase, request }: Call): SessionEvent[] =>
  phase === "waiting" && request ? [{ type: "request.closed", requestId: request.id, reason: "expired" }] : [];

function notBegun({ phase }: Call): boolean {
  switch (phase) {
    case "requested":
    case "waiting":
    case "answered":
    case "allowed":
      return true;
    case "running":
    case "done":
      return false;
  }
}
