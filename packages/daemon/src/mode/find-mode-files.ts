import { readdir } from "node:fs/promises";
import path from "node:path";
import type { ModeLocation } from "./mode-locations.ts";
import type { WatchTarget } from "./watch-folders.ts";

const MAX_FILES = 500;
const MAX_DEPTH = 5;

/** A file that may define modes. `name`: its path inside its location. */
export type FoundModeFile = { file: string; name: string; place: ModeLocation };

/** `watch`: the folders in which a change may affect the result. */
type Found = { files: FoundModeFile[]; watch: WatchTarget[] };

/** The files of a location that may define modes. Links to folders are not followed. */
export async function findModeFiles(place: ModeLocation): Promise<Found> {
  switch (place.holds) {
    case "file":
      return {
        files: [{ file: place.path, name: path.basename(place.path), place }],
        watch: [{ folder: path.dirname(place.path), names: [path.basename(place.path)] }],
      };
    case "folders": {
      const names = (await entriesOf(place.path)).filter((entry) => entry.isDirectory()).map(({ name }) => name);
      const files = names.flatMap((name) => place.below.map((below) => path.join(place.path, name, below)));
      const watch = files.map((file) => ({ folder: path.dirname(file), names: [path.basename(file)] }));
      return { files: files.map((file) => ({ file, name: file, place })), watch: [{ folder: place.path }, ...watch] };
    }
    case "folder":
      return walk(place, place.path, place.deep ? MAX_DEPTH : 0);
  }
}

async function walk(place: Extract<ModeLocation, { holds: "folder" }>, folder: string, depth: number): Promise<Found> {
  const files: FoundModeFile[] = [];
  const watch: WatchTarget[] = [{ folder }];
  for (const entry of await entriesOf(folder)) {
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory() && depth > 0) {
      const below = await walk(place, whole, depth - 1);
      files.push(...below.files);
      watch.push(...below.watch);
    } else if (!entry.isDirectory() && place.endings.some((ending) => entry.name.endsWith(ending)))
      files.push({ file: whole, name: path.relative(place.path, whole), place });
  }
  return { files: files.slice(0, MAX_FILES), watch };
}

async function entriesOf(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // a missing folder is empty
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
