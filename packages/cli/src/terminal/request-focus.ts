import type { InboxItem, Request } from "@baton/core/protocol/request";
import { openRequests } from "@baton/core/session/state";
import type { SessionView } from "@baton/core/client/session-view";
import type { RequestPosition } from "../render/request/request.ts";
import {
  acceptsInput,
  newInputGuard,
  remainingDelay,
  noteRequestFocused,
  noteRequestShown,
  type InputGuard,
} from "@baton/core/client/request-input-guard";
import type { Rule } from "@baton/core/protocol/rule";

/** An open request. `own` is true for the session on the screen and its subtasks. */
export type OpenRequest = { request: Request; own: boolean; mode: string; title?: string | undefined };

/** The request that keys answer, and what the user has typed for the answer. `wanted` is true if the user opened it. */
export type Focus = { id: string; guard: InputGuard; byUser: boolean; rule?: Rule | undefined; note?: string | undefined };

/** The open requests of all sessions, and the one that keys answer. It alone moves the focus. */
export class RequestFocus {
  readonly #view: () => SessionView | undefined;
  readonly #postponed = new Set<string>();
  #inbox: readonly InboxItem[] = [];
  #focus: Focus | undefined;

  constructor(view: () => SessionView | undefined) {
    this.#view = view;
  }

  get inbox(): readonly InboxItem[] {
    return this.#inbox;
  }

  setInbox(items: readonly InboxItem[]): void {
    this.#inbox = items;
  }

  /** Every open request, those of the session on the screen first. */
  open(): OpenRequest[] {
    const { state, id = "" } = this.#view() ?? {};
    const root = id.split(".", 1)[0];
    const own = state ? openRequests(state).map((request): OpenRequest => ({ request, own: true, mode: state.mode })) : [];
    const others = this.#inbox
      .filter(({ sessionId }) => sessionId !== id)
      .map((item): OpenRequest => ({ request: item, own: item.rootSessionId === root, mode: item.mode, title: item.title }));
    return sortRequests([...own, ...others]);
  }

  /** The request that has the focus, with what the user has typed for its answer. */
  get focus(): Focus | undefined {
    return this.#focus;
  }

  focused(): OpenRequest | undefined {
    const focus = this.#focus;
    return focus && this.open().find(({ request }) => request.id === focus.id);
  }

  next(): OpenRequest | undefined {
    return nextRequest(this.open(), this.#focus?.id);
  }

  setFocus({ request }: OpenRequest, now: number, byUser: boolean): void {
    this.#focus = focusOn(request.id, now, byUser);
    this.#postponed.delete(request.id);
  }

  clearFocus(): void {
    this.#focus = undefined;
  }

  /** Keeps a note or a rule for the answer. */
  addToAnswer(part: Pick<Focus, "note"> | Pick<Focus, "rule">): void {
    if (this.#focus) this.#focus = { ...this.#focus, ...part };
  }

  /** Leaves the focused request open; it does not take the focus again without the user. */
  postpone(): void {
    if (this.#focus) this.#postponed.add(this.#focus.id);
  }

  isPostponed(requestId: string): boolean {
    return this.#postponed.has(requestId);
  }

  position({ request, own, mode, title }: OpenRequest): RequestPosition {
    const ids = this.open()
      .filter((open) => open.own === own)
      .map((open) => open.request.id);
    return { mode, nth: ids.indexOf(request.id) + 1, of: own ? ids.length : 1, title };
  }
}

export function focusOn(id: string, now: number, byUser = false): Focus {
  const guard = newInputGuard();
  noteRequestShown(guard, id, now);
  noteRequestFocused(guard, id, now);
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
