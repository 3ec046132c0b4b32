import { acceptsInput, newInputGuard, remainingDelay, requestFocused, requestShown, type InputGuard } from "@baton/core/client/input-guard";
import type { Request } from "@baton/core/protocol/request";
import type { Rule } from "@baton/core/protocol/rule";

/** An open request. `own` is true for the session on the screen and its subtasks. */
export type OpenRequest = { request: Request; own: boolean; mode: string; title?: string | undefined };

/** The request that keys answer, and what the user has typed for the answer. `wanted` is true if the user opened it. */
export type Focus = { id: string; guard: InputGuard; byUser: boolean; rule?: Rule | undefined; note?: string | undefined };

export function focusOn(id: string, now: number, byUser = false): Focus {
  const guard = newInputGuard();
  requestShown(guard, id, now);
  requestFocused(guard, id, now);
  return { id, guard, byUser };
}

/** Milliseconds until the request accepts keys. */
export const keyDelay = ({ guard, id }: Focus, now: number): number => remainingDelay(guard, id, "key", now);

/** Whether a key may answer now. A key that comes too early starts the delay again. */
export const acceptsKey = ({ guard, id }: Focus, now: number): boolean => acceptsInput(guard, id, "key", now);

/** Own requests first, each group oldest first. */
export const sortRequests = (open: readonly OpenRequest[]): OpenRequest[] =>
  [...open].sort((a, b) => Number(b.own) - Number(a.own) || a.request.openedAt - b.request.openedAt);

/** The request after this one; after the last comes the first. */
export function nextRequest(open: readonly OpenRequest[], id: string | undefined): OpenRequest | undefined {
  const at = open.findIndex(({ request }) => request.id === id);
  return open[(at + 1) % Math.max(1, open.length)];
}
