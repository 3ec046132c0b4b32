import { lstatSync, realpathSync, statSync } from "node:fs";

/** Returns what a path leads to. */
export function pathKind(file: string): "file" | "folder" | "nothing" {
  try {
    return statSync(file).isDirectory() ? "folder" : "file";
  } catch {
    return "nothing";
  }
}

export const isFolder = (file: string): boolean => pathKind(file) === "folder";

export function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false; // nothing exists there, or its parent is not a folder
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
