import type { LoggedEvent, SessionEvent } from "@baton/core/protocol/event";
import { effectiveEvents, stateKeptByRewind, survivesRewind } from "@baton/core/session/effective-events";
import { reduceSession } from "@baton/core/session/reduce";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import { emptyState, type SessionState } from "@baton/core/session/state";

/** A rewind to before a prompt: the events to write, and the state on which they build. */
export type Rewind = { before: SessionState; events: SessionEvent[] };

/**
 * Finds the place in the log where the prompt entered the conversation. Only prompts that started a turn qualify, because
 * before any other prompt a call may be open.
 */
export function rewindTo(promptId: string, log: readonly LoggedEvent[], state: SessionState, by: Actor): Rewind | { refused: Refusal } {
  const counted = effectiveEvents(log);
  const at = counted.findIndex((event) => event.type === "prompt.delivered" && event.promptIds.some((id) => id === promptId));
  const to = counted[at - 1]?.seq;
  const then = counted.filter((event, i) => i < at || survivesRewind(event)).reduce(reduceSession, emptyState);
  if (at < 0 || to === undefined) return refuse("prompt_not_found", "This prompt is no longer part of the conversation.");
  if (then.turn) return refuse("rewind_impossible", "This prompt was added to a running turn. Rewind to the prompt that started the turn.");
  const rewound: SessionEvent = { type: "session.rewound", to, step: state.step?.n ?? 0, turn: state.turns, by };
  const withdrawn = then.queue.map((queued): SessionEvent => ({ type: "prompt.withdrawn", promptId: queued.promptId }));
  return { before: { ...then, ...stateKeptByRewind(state) }, events: [rewound, ...withdrawn] };
}
