/** A request takes no key and no click before it has stood there for this long, nor while keys come in from elsewhere. */
export const QUIET_MS = 400;

/**
 * Since when each request stands on the page, since when which of them is the one that digits answer, and when a key
 * last came that was meant for something else. Times are `performance.now()`.
 */
export type Quiet = { shown: Map<string, number>; now: { id: string; since: number } | undefined; lastKey: number };

export const quiet = (): Quiet => ({ shown: new Map(), now: undefined, lastKey: Number.NEGATIVE_INFINITY });

/** A request came to stand on the page. */
export const stands = ({ shown }: Quiet, id: string, now: number): void => void shown.set(id, now);

/** Digits are for this one from now on: what is being pressed at this moment was meant for the one before. */
export const becomesNow = (state: Quiet, id: string, now: number): void => void (state.now = { id, since: now });

/** A key that was typed into something else. */
export const typedElsewhere = (state: Quiet, now: number): void => void (state.lastKey = now);

/** Whether an answer may be given now. One that comes too early begins the wait anew, so that typing ahead never answers. */
export function takesAnswer(state: Quiet, id: string, by: "key" | "click", now: number): boolean {
  const isNowSince = by === "click" ? Number.NEGATIVE_INFINITY : state.now?.id === id ? state.now.since : now;
  if (now - Math.max(state.shown.get(id) ?? now, isNowSince, state.lastKey) >= QUIET_MS) return true;
  state.shown.set(id, now);
  return false;
}
