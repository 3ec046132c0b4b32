import { existsSync, watch, type FSWatcher, type WatchEventType } from "node:fs";
import path from "node:path";

/** A folder of which some entries matter, or all. */
export type WatchTarget = { folder: string; names?: readonly string[] };

export type FolderWatch = {
  /** These folders are watched from now on, or, as long as they are not there, the nearest one above them; and no others. */
  folders: (wanted: readonly WatchTarget[]) => void;
  /** Looks again soon although nothing has changed. */
  again: () => void;
  close: () => void;
};

const DEBOUNCE_MS = 100;

/**
 * Calls `look` soon after something that matters has changed in a folder. Where things change all the time it is called
 * again and again, but no more often than every tenth of a second; nothing can put it off for ever.
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
    if (event === "change" && !matters) return; // what is written all the time beside, such as the store
    if (name !== null) stop(path.join(folder, name)); // another folder may be there under this name now
    if (!existsSync(folder)) stop(folder);
    if (matters || !watchers.has(folder)) soon();
  };
  const start = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => changed(folder, event, name));
      watcher.on("error", () => stop(folder));
      watchers.set(folder, watcher);
    } catch {
      // It has gone since, or may not be looked at: then there is nothing to see.
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

/** Each folder that is there, with the names that matter in it; and of each the one above, in which it may be replaced. */
function interestsOf(wanted: readonly WatchTarget[]): Map<string, Interest> {
  const interests = new Map<string, Interest>();
  const add = (folder: string, names: readonly string[] | undefined) => {
    const before = interests.get(folder);
    interests.set(folder, before === "all" || !names ? "all" : new Set([...(before ?? []), ...names]));
  };
  for (const { folder, names } of wanted) {
    if (existsSync(folder)) add(folder, names);
    let [missing, above] = [folder, path.dirname(folder)];
    while (!existsSync(above) && above !== path.dirname(above)) [missing, above] = [above, path.dirname(above)];
    add(above, [path.basename(missing)]);
  }
  return interests;
}
