import { commandPrefixes } from "../command-prefix.ts";
import type { EventOf } from "../../protocol/event.ts";
import type { SessionState } from "../state.ts";

/** How many programs are remembered. */
const MAX_PROGRAMS = 100;

/** Remembers the programs of a command that did more than its verdict named. */
export function reduceSandboxExceeded(state: SessionState, event: EventOf<"sandbox.exceeded">): SessionState {
  const programs = event.programs ?? commandPrefixes(state.calls.find(({ id }) => id === event.callId)?.verdict);
  return { ...state, exceeded: [...new Set([...state.exceeded, ...programs])].slice(-MAX_PROGRAMS) };
}
