import type { BlobStore } from "../system/files/blob.ts";
import { findHashes } from "./blob-references.ts";
import type { Append, EventLog, StreamEvent } from "./event-log.ts";

/** The same log, which says to the blobs which of them its events name. */
export function blobTrackingLog(log: EventLog, blobs: Pick<BlobStore, "committed" | "awaitsEvents">): EventLog {
  return {
    ...log,
    async append<E extends StreamEvent>(step: Append<E>) {
      const logged = await log.append(step);
      if (blobs.awaitsEvents()) blobs.committed(findHashes(JSON.stringify(step.events)));
      return logged;
    },
  };
}
