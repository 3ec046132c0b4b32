import type { LoggedEvent } from "../protocol/event.ts";
import { reduceSession } from "./reduce.ts";
import { emptyState, type SessionState } from "./state.ts";

/** The events that still count. Rewound events are left out, and the rewind itself stays. */
export function effectiveEvents(events: readonly LoggedEvent[]): LoggedEvent[] {
  let kept: LoggedEvent[] = [];
  for (const event of events) {
    if (event.type === "session.rewound") kept = kept.filter((each) => each.seq <= event.to || survivesRewind(each));
    kept.push(event);
  }
  return kept;
}

/** Facts about the session as a whole are not part of the conversation, so a rewind does not undo them. */
export const survivesRewind = ({ type }: LoggedEvent): boolean =>
  type === "session.renamed" || type === "session.archived" || type === "grant.revoked" || type === "root.removed";

/**
 * The parts of a state that a rewind does not change: costs, and everything beside the conversation. A subtask that has
 * reported is not awaited again, an ended command does not run, and answers about the folder or a server stay.
 */
export const stateKeptByRewind = ({ usage, below, counts, children, processes, hooksOnce, exceeded, trust, servers }: SessionState) => ({
  usage,
  below,
  counts,
  children,
  processes,
  hooksOnce,
  exceeded,
  trust,
  servers,
});

/** The state after each event of a whole log, rewinds included. */
export function* foldStates(events: readonly LoggedEvent[]): Generator<SessionState> {
  let state = emptyState;
  for (const [i, event] of events.entries()) {
    if (event.type === "session.rewound") {
      const kept = effectiveEvents(events.slice(0, i)).filter((each) => each.seq <= event.to || survivesRewind(each));
      state = { ...kept.reduce(reduceSession, emptyState), ...stateKeptByRewind(state) };
    }
    state = reduceSession(state, event);
    yield state;
  }
}

/** The state after a whole log. */
export function foldEffective(events: readonly LoggedEvent[]): SessionState {
  let last = emptyState;
  for (const state of foldStates(events)) last = state;
  return last;
}
