import type { Logged } from "@baton/core/protocol/event";
import { withVersion } from "@baton/core/protocol/upcast";
import type { Append, EventLog, StreamEvent } from "./event-log.ts";
import { StoreFault } from "./database/store-error.ts";

/**
 * The same log, for a store that can fail to say that it has written what it has: the step is looked for before it counts
 * as not written, else every later one of its stream would collide with it.
 */
export function verifiedLog(log: EventLog): EventLog {
  return {
    ...log,
    async append<E extends StreamEvent>(step: Append<E>) {
      try {
        return await log.append(step);
      } catch (error) {
        if (!(error instanceof StoreFault) || step.events.length === 0) throw error;
        const there = await log.read<E>(step.streamId, step.after).catch(() => undefined); // then nobody knows, and the store has failed
        if (there && isThis(step, there)) return there;
        throw error;
      }
    },
  };
}

/** Whether what lies in the log after the step's place is the step, and nothing of anybody else. */
const isThis = <E extends StreamEvent>({ events, at, after }: Append<E>, there: readonly Logged<E>[]): boolean =>
  there.length === events.length &&
  JSON.stringify(there) === JSON.stringify(events.map((event, i) => ({ ...withVersion(event), seq: after + 1 + i, at })));
