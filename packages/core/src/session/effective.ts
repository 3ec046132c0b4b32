import type { Logged } from "../protocol/event.ts";
import { reduce } from "./reduce.ts";
import { empty, type SessionState } from "./state.ts";

/** The events that count: what was rewound is left out, the rewinding itself stays. */
export function effective(events: readonly Logged[]): Logged[] {
  let kept: Logged[] = [];
  for (const event of events) {
    if (event.type === "session.rewound") kept = kept.filter((each) => each.seq <= event.to || outlives(each));
    kept.push(event);
  }
  return kept;
}

/** What a person said of the session as a whole is no part of the conversation, and no rewinding takes it back. */
export const outlives = ({ type }: Logged): boolean => type === "session.renamed" || type === "session.archived";

/** The state after a whole log, rewindings included. What was spent stays spent, also while limits are raised after a rewinding. */
export function foldEffective(events: readonly Logged[]): SessionState {
  let state = empty;
  for (const [i, event] of events.entries()) {
    if (event.type === "session.rewound") {
      const { usage, counts } = state;
      const kept = effective(events.slice(0, i)).filter((each) => each.seq <= event.to || outlives(each));
      state = { ...kept.reduce(reduce, empty), usage, counts };
    }
    state = reduce(state, event);
  }
  return state;
}
