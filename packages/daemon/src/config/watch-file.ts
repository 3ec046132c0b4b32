import { existsSync, watch, statSync } from "node:fs";
import path from "node:path";

/**
 * Calls `changed` soon after the file was written, replaced or removed. Writes in quick succession cause one call; constant writes still
 * cause calls. The folder may be created later. Returns a function that stops watching.
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

/** Waits for the folder of a file, then watches the file. */
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

/** Identifies the state of a file. A replaced file has another inode, a written one another time or size. Undefined if there is no file. */
export function fileStamp(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : undefined;
}
