import { existsSync, readdirSync, statSync, unlinkSync } from "node:fs";
import path from "node:path";
import type { StoreBlobs } from "@baton/core/protocol/connection/store-report";

type File = { file: string; hash: string | undefined; bytes: number };

/** The files of a blob folder. `hash` is undefined for an unfinished file. */
function* filesIn(folder: string): Generator<File> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (!entry.isDirectory()) {
      if (entry.name.endsWith(".tmp")) yield { file: place, hash: undefined, bytes: sizeOf(place) };
      continue;
    }
    for (const name of readdirSync(place)) yield { file: path.join(place, name), hash: name, bytes: sizeOf(path.join(place, name)) };
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Counts the blobs of a folder and those that `isNeeded` rejects. With `remove`, it deletes the latter, each in the same tick in which
 * `isNeeded` was called. After a kill the next sweep finds the remaining files.
 */
export function sweepBlobs(
  folder: string,
  {
    isNeeded,
    startedAt,
    remove,
  }: {
    isNeeded: (hash: string) => boolean;
    /** Epoch milliseconds. Unfinished files from before have no writer. */ startedAt: number;
    remove: boolean;
  },
): StoreBlobs {
  const swept: StoreBlobs = { blobs: 0, bytes: 0, orphans: 0, orphanBytes: 0 };
  for (const { file, hash, bytes } of filesIn(folder)) {
    const isOrphan = hash === undefined ? (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? startedAt) < startedAt : !isNeeded(hash);
    if (!isOrphan) {
      swept.blobs++;
      swept.bytes += bytes;
      continue;
    }
    swept.orphans++;
    swept.orphanBytes += bytes;
    if (remove) unlinkSync(file);
  }
  return swept;
}
