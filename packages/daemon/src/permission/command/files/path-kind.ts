import { lstatSync, realpathSync, statSync } from "node:fs";

/** Returns what a path leads to. */
export function pathKind(file: string): "file" | "folder" | "nothing" {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return "nothing";
    return found.isDirectory() ? "folder" : "file";
  } catch {
    return "nothing";
  }
}

export const isFolder = (file: string): boolean => pathKind(file) === "folder";

export function isLink(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false; // its parent is not a folder
  }
}

/** Follows all symlinks in a path. Returns undefined if it does not exist, or cannot be followed. */
export function realPath(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}
