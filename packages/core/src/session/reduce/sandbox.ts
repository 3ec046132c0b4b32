import { programOf } from "../../permission/program-of.ts";
import type { EventOf } from "../../protocol/event.ts";
import type { SessionState } from "../state.ts";

/** How many programs are remembered. */
const MAX_PROGRAMS = 100;

/** Remembers the programs of a command that did more than its verdict named. */
export function sandboxExceeded(state: SessionState, { callId }: EventOf<"sandbox.exceeded">): SessionState {
  const call = state.calls.find(({ id }) => id === callId);
  const programs = (call?.verdict?.accesses ?? []).flatMap(({ action, resource }) => (action === "command" ? [programOf(resource)] : []));
  return { ...state, exceeded: [...new Set([...state.exceeded, ...programs])].slice(-MAX_PROGRAMS) };
}
