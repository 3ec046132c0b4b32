import type { EventOf } from "../protocol/event.ts";
import type { ModeSlug, TransitionOrigin } from "../protocol/mode.ts";
import type { Actor } from "../protocol/request.ts";

/** A wanted change of mode: to where, why, and who asked for it. */
export type Transition = { to: ModeSlug; origin: TransitionOrigin; reason?: string; by: Actor };

/** The one way a mode changes. `since` and `now` are epoch milliseconds; `tookMs` of the event is the time spent in `from`. */
export function transition(from: ModeSlug, since: number, { to, origin, reason, by }: Transition, now: number): EventOf<"mode.changed"> {
  return { type: "mode.changed", from, to, origin, ...(reason === undefined ? {} : { reason }), by, tookMs: Math.max(0, now - since) };
}
