import { referencedBlobs } from "../../store/blob-references.ts";
import type { Database } from "../../store/database/database.ts";
import type { BlobStore } from "../../system/files/blob.ts";
import type { StoreBlobs } from "@baton/core/protocol/connection/store-report";

export type BlobCleanup = {
  /** Removes the blobs that no event references. Calls during a run share the next run. */
  sweep: () => Promise<StoreBlobs>;
};

/** Frees contents that deleted sessions leave: files before a change, long outputs, images. */
export function openBlobCleanup({ database, blobs }: { database: Pick<Database, "query">; blobs: Pick<BlobStore, "sweep"> }): BlobCleanup {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<StoreBlobs> | undefined;
  return {
    sweep() {
      next ??= running.then(() => {
        next = undefined;
        const sweeping = blobs.sweep(() => referencedBlobs(database));
        running = sweeping.catch(() => undefined);
        return sweeping;
      });
      return next;
    },
  };
}
