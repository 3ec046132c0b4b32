import { StoreFault } from "../../../src/store/database/database.ts";
import type { EventAppend, EventLog, StreamEvent } from "../../../src/store/event-log.ts";
import type { Run } from "../run.ts";

/**
 * A log whose every use takes time, and whose writes can fail: nothing was written; or it was written despite the error; or, if the
 * process dies meanwhile, either of the two.
 */
export function unsteady(inner: EventLog, run: Run): EventLog {
  const { scheduler, draws } = run;
  const commit = async <E extends StreamEvent>(step: EventAppend<E>) => {
    const logged = await inner.append(step);
    run.committed(step.streamId, logged, step.receipt?.commandId);
    return logged;
  };
  return {
    append: <E extends StreamEvent>(step: EventAppend<E>) =>
      scheduler.step(
        `write ${step.streamId}: ${step.events.map(({ type }) => type).join(" ")}`,
        async () => {
          if (!run.calm && run.diskFull) return run.fail("the disk is full", "SQLITE_FULL: database or disk is full");
          if (!run.calm && draws.happens(15)) return run.fail("a write fails", "SQLITE_IOERR: disk I/O error");
          const logged = await commit(step);
          if (!run.calm && draws.happens(6)) return run.fail("a write fails, but is there", "SQLITE_IOERR: connection lost");
          return logged;
        },
        {
          lost: () => {
            const isCommitted = draws.happens(500);
            run.fault(isCommitted ? "killed after a commit" : "killed before a commit");
            if (isCommitted) run.last(commit(step));
          },
        },
      ),
    read: (streamId, after, limit) => scheduler.step(`read ${streamId}`, () => inner.read(streamId, after, limit)),
    lastOf: (streamId, type, seq) => scheduler.step(`read ${streamId}`, () => inner.lastOf(streamId, type, seq)),
    ofType: (streamId, type) => scheduler.step(`read ${streamId}`, () => inner.ofType(streamId, type)),
    receipt: (streamId, commandId) => scheduler.step(`look for ${commandId}`, () => inner.receipt(streamId, commandId)),
    drop: (ids, step) => scheduler.step(`drop ${ids.join(" ")}`, () => inner.drop(ids, step)),
  };
}

/** The error of a store that cannot write. */
export const storeFault = (text: string): StoreFault => new StoreFault(new Error(text));
