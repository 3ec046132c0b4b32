/** A request takes no key and no click before it has stood there for this long, nor while keys come in from elsewhere. */
export const QUIET_MS = 400;

/** Since when each request stands where it stands, and when a key last came that was meant for something else. */
export type Quiet = { shown: Map<string, number>; lastKey: number };

export const quiet = (): Quiet => ({ shown: new Map(), lastKey: Number.NEGATIVE_INFINITY });

/** A request came to stand somewhere, or somewhere else. */
export const stands = ({ shown }: Quiet, id: string, now: number): void => void shown.set(id, now);

/** A key that was typed into something else. */
export const typedElsewhere = (state: Quiet, now: number): void => void (state.lastKey = now);

/** Whether an answer may be given now. One that comes too early begins the wait anew, so that typing ahead never answers. */
export function takesAnswer(state: Quiet, id: string, now: number): boolean {
  const since = Math.max(state.shown.get(id) ?? now, state.lastKey);
  if (now - since >= QUIET_MS) return true;
  state.shown.set(id, now);
  return false;
}
