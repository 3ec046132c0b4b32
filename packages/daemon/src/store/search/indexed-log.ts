import type { EventAppend, EventLog, StreamEvent } from "../event-log.ts";
import { mayBeIndexFault, type SearchIndex } from "./search-index.ts";

/**
 * A log that indexes events for the search in the batch that commits them. A broken index does not stop a session: the events are
 * committed without it, and it is built again.
 */
export function indexedLog(log: EventLog, index: SearchIndex): EventLog {
  async function withIndex<T>(indexed: () => Promise<T>, alone: () => Promise<T>): Promise<T> {
    try {
      return await indexed();
    } catch (error) {
      if (!mayBeIndexFault(error)) throw error;
      const result = await alone(); // throws if the index is not the reason
      index.rebuild("the search index is broken");
      return result;
    }
  }
  return {
    ...log,
    append<E extends StreamEvent>(step: EventAppend<E>) {
      const more = index.statements(step);
      if (more.length === 0) return log.append(step);
      return withIndex(
        () => log.append({ ...step, derived: [...(step.derived ?? []), ...more] }),
        () => log.append(step),
      );
    },
    drop(streamIds, step = {}) {
      return withIndex(
        () => log.drop(streamIds, { ...step, derived: [...(step.derived ?? []), ...index.dropStatements(streamIds)] }),
        () => log.drop(streamIds, step),
      );
    },
  };
}
