import type { Logged } from "../protocol/event.ts";
import { reduce } from "./reduce.ts";
import { empty, type SessionState } from "./state.ts";

/** The events that count: what was rewound is left out, the rewinding itself stays. */
export function effective(events: readonly Logged[]): Logged[] {
  const kept: Logged[] = [];
  for (const event of events) {
    if (event.type === "session.rewound") while ((kept.at(-1)?.seq ?? 0) > event.to) kept.pop();
    kept.push(event);
  }
  return kept;
}

/** The state after a whole log, rewindings included. What was spent stays spent. */
export function foldEffective(events: readonly Logged[]): SessionState {
  const { usage, counts } = events.reduce(reduce, empty);
  return { ...effective(events).reduce(reduce, empty), usage, counts };
}
