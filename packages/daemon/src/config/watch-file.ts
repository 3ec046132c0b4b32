import { existsSync, watch, statSync } from "node:fs";
import path from "node:path";

/**
 * Calls `changed` soon after the file was written, replaced or removed; many writes at once are one call, and one
 * that is written all the time is read all the same. Its folder may come later. Gives the way to stop.
 */
export function watchFile(file: string, changed: () => void): () => void {
  if (!existsSync(path.dirname(file))) return watchFolderOf(file, changed);
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(path.dirname(file), { persistent: false }, (_, name) => {
    if (name !== null && name !== path.basename(file)) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, SETTLED_MS);
  });
  watcher.on("error", () => watcher.close());
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Waits for the folder of a file, and goes on with the file once that is there. */
function watchFolderOf(file: string, changed: () => void): () => void {
  const folder = path.dirname(file);
  let stop = watchFile(folder, () => {
    if (!existsSync(folder)) return;
    stop();
    stop = watchFile(file, changed);
    changed();
  });
  return () => stop();
}

const SETTLED_MS = 100;

/** Tells one state of a file from another: one that is replaced has another inode, one that is written another time or size. Undefined: there is none. */
export function fileStamp(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : undefined;
}
