import { readdirSync, type Dirent } from "node:fs";
import path from "node:path";

/** One entry of a folder tree. `below` is its path from the root of the walk. */
export type Entry = { file: string; below: string; entry: Dirent };

/** The entries of a folder. Empty where there is no folder, or none that may be read: then a program cannot read it either. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * All entries below a folder, nearest folders first. `enters` says into which entries to go, and by itself into folders only. Links are entries and
 * are not followed. Ends without a word behind `maxFolders`.
 */
export function* entriesBelow(
  root: string,
  { maxFolders = Infinity, enters = isFolder }: { maxFolders?: number; enters?: (entry: Entry) => boolean } = {},
): Generator<Entry, void> {
  const folders = [""];
  for (let i = 0; i < folders.length && i < maxFolders; i++) {
    const at = folders[i] ?? "";
    for (const entry of entriesOf(path.join(root, at))) {
      const below = path.join(at, entry.name);
      const found = { file: path.join(root, below), below, entry };
      yield found;
      if (enters(found)) folders.push(below);
    }
  }
}

const isFolder = ({ entry }: Entry): boolean => entry.isDirectory();
