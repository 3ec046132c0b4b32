import { existsSync, watch, type FSWatcher, type WatchEventType } from "node:fs";
import path from "node:path";

/** A folder to watch. `names`: the relevant entries; all by default. */
export type WatchTarget = { folder: string; names?: readonly string[] };

export type FolderWatch = {
  /** Watches exactly these folders or, as long as one does not exist, its nearest existing parent. */
  folders: (wanted: readonly WatchTarget[]) => void;
  /** Calls `look` soon although nothing has changed. */
  again: () => void;
  close: () => void;
};

const DEBOUNCE_MS = 100;

/**
 * Calls `look` soon after a relevant change in a folder. Constant changes cause repeated calls, at most every 0.1 seconds. Nothing can delay
 * a call forever.
 */
export function watchFolders(look: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let interests = new Map<string, Interest>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!closed) look();
    }, DEBOUNCE_MS).unref();
  };
  const stop = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const changed = (folder: string, event: WatchEventType, name: string | null) => {
    const interest = interests.get(folder);
    const matters = name === null || interest === "all" || interest?.has(name);
    if (event === "change" && !matters) return; // files that change constantly, such as the store
    if (name !== null) stop(path.join(folder, name)); // the name may now belong to another folder
    if (!existsSync(folder)) stop(folder);
    if (matters || !watchers.has(folder)) soon();
  };
  const start = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => changed(folder, event, name));
      watcher.on("error", () => stop(folder));
      watchers.set(folder, watcher);
    } catch {
      // The folder was removed or cannot be read.
    }
  };
  return {
    folders: (wanted) => {
      if (closed) return;
      interests = interestsOf(wanted);
      for (const folder of watchers.keys()) if (!interests.has(folder)) stop(folder);
      for (const folder of interests.keys()) if (!watchers.has(folder)) start(folder);
    },
    again: soon,
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const folder of watchers.keys()) stop(folder);
    },
  };
}

type Interest = Set<string> | "all";

/** The existing folders with their relevant names, and the parents in which they may be replaced. */
function interestsOf(wanted: readonly WatchTarget[]): Map<string, Interest> {
  const interests = new Map<string, Interest>();
  const add = (folder: string, names: readonly string[] | undefined) => {
    const before = interests.get(folder);
    interests.set(folder, before === "all" || !names ? "all" : new Set([...(before ?? []), ...names]));
  };
  for (const { folder, names } of wanted) {
    if (existsSync(folder)) add(folder, names);
    let missing = folder;
    let above = path.dirname(folder);
    while (!existsSync(above) && above !== path.dirname(above)) {
      missing = above;
      above = path.dirname(above);
    }
    add(above, [path.basename(missing)]);
  }
  return interests;
}
