import type { Request } from "@baton/core/protocol/request";
import type { Rule } from "@baton/core/protocol/rule";

/** An open request as this client knows it; `own` when it is of the session on the screen or of one of its children. */
export type Open = { request: Request; own: boolean; mode: string; title?: string | undefined };

/** Which request has the keys, since when it stands there, whether the person called for it, and what has been typed towards its answer. */
export type Focus = { id: string; shownAt: number; armed: boolean; wanted: boolean; rule?: Rule | undefined; note?: string | undefined };

/** A request takes no key before it has stood there for this long without any key coming in. */
export const QUIET_MS = 400;

export const focusOn = (id: string, now: number, wanted = false): Focus => ({ id, shownAt: now, armed: false, wanted });

/** How long it is until the request takes keys. */
export const quietLeft = ({ armed, shownAt }: Focus, now: number): number => (armed ? 0 : Math.max(0, shownAt + QUIET_MS - now));

/** Whether a key may answer now. A key that comes too early begins the wait anew, so that typing ahead never answers. */
export function keyComesIn(focus: Focus, now: number): { focus: Focus; takes: boolean } {
  if (quietLeft(focus, now) === 0) return { focus: { ...focus, armed: true }, takes: true };
  return { focus: { ...focus, shownAt: now }, takes: false };
}

/** Own requests first, each part oldest first. */
export const inOrder = (open: readonly Open[]): Open[] =>
  [...open].sort((a, b) => Number(b.own) - Number(a.own) || a.request.openedAt - b.request.openedAt);

/** The request after this one, round the list. */
export function nextOf(open: readonly Open[], id: string | undefined): Open | undefined {
  const at = open.findIndex(({ request }) => request.id === id);
  return open[(at + 1) % Math.max(1, open.length)];
}
