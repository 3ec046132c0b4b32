import type { Logged } from "@baton/core/protocol/event";
import type { Append, EventLog, StreamEvent } from "../log/event-log.ts";
import { isStoreFault } from "./patiently.ts";

/**
 * Commits one step of a stream. A store can fail to say that it has written what it has: the step is looked for before
 * it counts as not written, else every later one would collide with it.
 */
export async function commit<E extends StreamEvent>(step: Append<E>, log: EventLog): Promise<Logged<E>[]> {
  try {
    return await log.append(step);
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    const there = await log.read<E>(step.streamId, step.after);
    if (isThis(step, there)) return there;
    throw error;
  }
}

/** Whether what lies in the log after the step's place is the step, and nothing of anybody else. */
const isThis = <E extends StreamEvent>({ events, at, after }: Append<E>, there: readonly Logged<E>[]): boolean =>
  there.length === events.length &&
  JSON.stringify(there) === JSON.stringify(events.map((event, i) => ({ ...event, seq: after + 1 + i, at })));
