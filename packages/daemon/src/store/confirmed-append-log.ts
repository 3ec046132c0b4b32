import type { LoggedEvent } from "@baton/core/protocol/event";
import { withVersion } from "@baton/core/protocol/upcast";
import type { EventAppend, EventLog, StreamEvent } from "./event-log.ts";
import { StoreFault } from "./database/store-error.ts";

/**
 * A log for a store that may report a failed write although it wrote. It looks for the step before it reports the failure. Otherwise every
 * later step of the stream would conflict with it.
 */
export function confirmedAppendLog(log: EventLog): EventLog {
  return {
    ...log,
    async append<E extends StreamEvent>(step: EventAppend<E>) {
      try {
        return await log.append(step);
      } catch (error) {
        if (!(error instanceof StoreFault) || step.events.length === 0) throw error;
        const written = await log.read<E>(step.streamId, step.after).catch(() => undefined); // unknown, and the store has failed
        if (written && isSameStep(step, written)) return written;
        throw error;
      }
    },
  };
}

/** True if the log contains exactly this step after its position. */
const isSameStep = <E extends StreamEvent>({ events, at, after }: EventAppend<E>, written: readonly LoggedEvent<E>[]): boolean =>
  written.length === events.length &&
  JSON.stringify(written) === JSON.stringify(events.map((event, i) => ({ ...withVersion(event), seq: after + 1 + i, at })));
