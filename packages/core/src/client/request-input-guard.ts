/** The time in milliseconds that a request must be visible without a key press before it accepts input. */
export const INPUT_DELAY_MS = 400;

/**
 * Protects requests from input that was meant for something else: a key pressed while the request appeared, or a click on a control that
 * moved. Times are in milliseconds of one steady clock (`performance.now()`).
 */
export type InputGuard = {
  /** The time when each request appeared or last moved. */
  shownAt: Map<string, number>;
  /** The request that keys answer, and since when. */
  focused: { id: string; since: number } | undefined;
  /** The time of the last key press that was meant for something else. */
  lastKeyAt: number;
};

export const newInputGuard = (): InputGuard => ({ shownAt: new Map(), focused: undefined, lastKeyAt: Number.NEGATIVE_INFINITY });

/** A request appeared, or its controls moved. */
export const noteRequestShown = ({ shownAt }: InputGuard, id: string, now: number): void => void shownAt.set(id, now);

/** From now on keys answer this request. A key that is down at this moment was meant for the previous one. */
export const noteRequestFocused = (guard: InputGuard, id: string, now: number): void => void (guard.focused = { id, since: now });

/** A key was pressed that was meant for something else. */
export const noteOtherKey = (guard: InputGuard, now: number): void => void (guard.lastKeyAt = now);

/** The milliseconds until the request accepts this kind of input. 0 if it does. */
export function remainingDelay(guard: InputGuard, id: string, by: "key" | "click", now: number): number {
  const keyTarget = guard.focused?.id === id ? guard.focused.since : now;
  const focusedAt = by === "click" ? Number.NEGATIVE_INFINITY : keyTarget;
  const since = Math.max(guard.shownAt.get(id) ?? now, focusedAt, guard.lastKeyAt);
  return Math.max(0, since + INPUT_DELAY_MS - now);
}

/** True if the request accepts input now. Early input restarts the delay, so that keys typed in advance never answer a request. */
export function acceptsInput(guard: InputGuard, id: string, by: "key" | "click", now: number): boolean {
  if (remainingDelay(guard, id, by, now) === 0) return true;
  guard.shownAt.set(id, now);
  return false;
}
