import { randomUUID } from "node:crypto";
import type { SessionId } from "@baton/core/protocol/ids";
import { ChangeSignal } from "./change-signal.ts";

/** How many changed rows are remembered. Older changes are forgotten. */
const MAX_CHANGES = 1_000;

/** Tracks which rows of the session list changed and in which order, so that a follower receives only those. */
export class ChangedSessionRows extends ChangeSignal {
  readonly #life = randomUUID();
  /** The latest version of each changed row, oldest first. */
  readonly #rows = new Map<SessionId, number>();
  #last = 0;
  #forgotten = 0;

  /** A position in the list's changes, for a follower that reconnects. */
  get mark(): string {
    return `${this.#life} ${this.#last}`;
  }

  changed(ids: Iterable<SessionId>): void {
    for (const id of ids) {
      this.#rows.delete(id);
      this.#rows.set(id, ++this.#last);
    }
    for (const [id, version] of this.#rows) {
      if (this.#rows.size <= MAX_CHANGES) break;
      this.#rows.delete(id);
      this.#forgotten = version;
    }
    this.wake();
  }

  /** The changes since a position. Undefined if they are no longer known. */
  since(mark: string): SessionId[] | undefined {
    const [life, version] = mark.split(" ");
    const from = Number(version);
    if (life !== this.#life || !(from >= this.#forgotten)) return undefined;
    return [...this.#rows].flatMap(([id, at]) => (at > from ? [id] : []));
  }
}
