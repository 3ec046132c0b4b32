import type { LoggedEvent } from "@baton/core/protocol/event";
import type { EventLog, StreamEvent } from "../../src/store/event-log.ts";

export type Written = LoggedEvent<StreamEvent>;

/** The content that the store accepted, seen from outside of the daemon. All statements and views are compared with it. */
export class History {
  readonly #streams = new Map<string, Written[]>();

  add(streamId: string, events: readonly Written[]): void {
    const known = this.#streams.get(streamId) ?? [];
    this.#streams.set(streamId, known);
    known.push(...events);
  }

  of(streamId: string): readonly Written[] {
    return this.#streams.get(streamId) ?? [];
  }

  /** The events of a session. Other streams contain the events of workspaces. */
  session(id: string): readonly LoggedEvent[] {
    return this.of(id) as readonly LoggedEvent[]; // sessions write events of sessions
  }

  get sessions(): string[] {
    return Array.from(this.#streams.keys()).filter((id) => !id.includes(":"));
  }

  get streams(): string[] {
    return Array.from(this.#streams.keys());
  }

  /** The differences between a store that was opened again and the content that it had accepted. */
  async differences(log: EventLog): Promise<string[]> {
    const found = await Promise.all(this.streams.map(async (id) => ({ id, there: await log.read(id) })));
    return found.flatMap(({ id, there }) =>
      sameEvents(there, this.of(id))
        ? []
        : [`P1: ${id} holds ${there.length} events after the crash; the store had taken ${this.of(id).length}`],
    );
  }
}

export const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Most of them are identical objects, which is quick to check. */
const sameEvents = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((event, i) => same(event, b[i]));
