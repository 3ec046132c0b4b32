import type { InboxItem } from "@baton/core/protocol/request";
import { openRequests } from "@baton/core/session/state";
import type { SessionView } from "@baton/core/client/session-view";
import type { RequestPosition } from "../render/request/request.ts";
import { focusOn, sortRequests, nextRequest, type Focus, type OpenRequest } from "./request-focus.ts";

/** The open requests of all sessions, and the one that keys answer. It alone moves the focus. */
export class RequestPanel {
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
