import { watch } from "node:fs";
import path from "node:path";

/**
 * Calls `changed` soon after the file was written, replaced or removed; many writes at once are one call, and one
 * that is written all the time is read all the same. Gives the way to stop.
 */
export function watchFile(file: string, changed: () => void): () => void {
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

const SETTLED_MS = 100;
