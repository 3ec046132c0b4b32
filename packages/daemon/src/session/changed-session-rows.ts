import { randomUUID } from "node:crypto";
import type { SessionId } from "@baton/core/protocol/ids";
import { ChangeSignal } from "./change-signal.ts";

/** Of more rows than this that changed, the ones that changed longest ago are forgotten. */
const MAX_CHANGES = 1_000;

/** Which rows of the list of sessions have changed, and in which order, so that a follower gets those and no others. */
export class ChangedSessionRows extends ChangeSignal {
  readonly #life = randomUUID();
  /** The last version of each row that changed, oldest first. */
  readonly #rows = new Map<SessionId, number>();
  #last = 0;
  #forgotten = 0;

  /** Names how far the list has come, for a follower who comes back. */
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

  /** What has changed since that mark; undefined where nobody knows any more. */
  since(mark: string): SessionId[] | undefined {
    const [life, version] = mark.split(" ");
    const from = Number(version);
    if (life !== this.#life || !(from >= this.#forgotten)) return undefined;
    return [...this.#rows].flatMap(([id, at]) => (at > from ? [id] : []));
  }
}
