import type { Dirent } from "node:fs";
import path from "node:path";
import { readFolder } from "../../disk-view.ts";
import { isOverTime } from "../time-limit.ts";
import { attempt } from "./path-on-disk.ts";

/** One entry of a folder tree. `below` is its path from the root of the walk. */
export type FolderEntry = { file: string; below: string; entry: Dirent };

/** Returns the entries of a folder, and nothing if it does not exist or cannot be read, because a program cannot read it either. */
export const entriesOf = (folder: string): readonly Dirent[] => attempt(() => readFolder(folder)) ?? [];

/**
 * Yields all entries below a folder, nearest folders first. `enters` decides which entries to descend into. By default these are
 * only folders. Links are entries and are not followed. After `maxFolders`, or if the time for the text is over, the walk ends without a notice.
 */
export function* entriesBelow(
  root: string,
  { maxFolders = Infinity, enters = isFolder }: { maxFolders?: number; enters?: (entry: FolderEntry) => boolean } = {},
): Generator<FolderEntry, void> {
  const folders = [""];
  for (let i = 0; i < folders.length && i < maxFolders && !isOverTime(); i++) {
    const at = folders[i] ?? "";
    const folder = path.join(root, at);
    const [start, startBelow] = [withSeparator(folder), at === "" ? "" : withSeparator(at)]; // joining paths takes longer than reading them
    for (const entry of entriesOf(folder)) {
      const below = startBelow + entry.name;
      const found = { file: start + entry.name, below, entry };
      yield found;
      if (enters(found)) folders.push(below);
    }
  }
}

const withSeparator = (folder: string): string => (folder.endsWith(path.sep) ? folder : folder + path.sep);

const isFolder = ({ entry }: FolderEntry): boolean => entry.isDirectory();
