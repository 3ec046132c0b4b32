import { readdir } from "node:fs/promises";
import path from "node:path";
import { statIfExists } from "./stat-if-exists.ts";
import type { ResolvedPath } from "./resolved-path.ts";

const MAX_FILES = 500;
const MAX_BYTES = 50 * 1024 * 1024;

/** Generated files, and git's own. */
const LEFT_OUT = new Set([".git", "node_modules"]);

/** The regular files below a folder. Empty if it is not a folder, or has too many files for snapshots. */
export async function listFilesBelow({ real, relative }: ResolvedPath): Promise<string[]> {
  if (!statIfExists(real)?.isDirectory()) return [];
  const found: string[] = [];
  let bytes = 0;
  const folders = [""];
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    for (const entry of await readdir(path.join(real, below), { withFileTypes: true })) {
      const name = path.join(below, entry.name);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(name);
      if (!entry.isFile()) continue;
      found.push(path.join(relative, name));
      bytes += statIfExists(path.join(real, name))?.size ?? 0;
      if (found.length > MAX_FILES || bytes > MAX_BYTES) return [];
    }
  }
  return found;
}
