import type { Logged } from "@baton/core/protocol/event";
import type { EventLog, StreamEvent } from "../../src/store/event-log.ts";

export type Written = Logged<StreamEvent>;

/** What the store has taken, as seen from outside the daemon: the measure for everything that anybody says or shows. */
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

  /** The events of a session. Other streams hold what happened to workspaces. */
  session(id: string): readonly Logged[] {
    return this.of(id) as readonly Logged[]; // sessions write events of sessions
  }

  get sessions(): string[] {
    return Array.from(this.#streams.keys()).filter((id) => !id.includes(":"));
  }

  get streams(): string[] {
    return Array.from(this.#streams.keys());
  }

  /** Where a store that was opened again differs from what it had taken. */
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

/** Most of them are the very same, which is seen at once. */
const sameEvents = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((event, i) => same(event, b[i]));
