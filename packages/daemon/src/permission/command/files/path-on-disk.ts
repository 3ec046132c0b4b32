import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { lstatOf, realPathOf, statOf } from "../../disk-view.ts";

/** Returns what `look` finds on the disk. Undefined if the file does not exist, cannot be read, or has a parent that is no folder. */
export function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Returns a folder and all folders above it. */
export const foldersFrom = (folder: string): string[] =>
  path.dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(path.dirname(folder))];

/** True if a path is a folder or below it. Both are absolute and without a slash at the end. */
export const isBelow = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder === "/" ? folder : `${folder}/`);

/** Returns what a path leads to. */
export function pathKind(file: string): "file" | "folder" | "nothing" {
  const found = attempt(() => statOf(file));
  return found ? (found.isDirectory() ? "folder" : "file") : "nothing";
}

/** True if a path leads to anything. */
export const exists = (file: string): boolean => pathKind(file) !== "nothing";

/** Returns the text of a file. Undefined if it is missing, or anything but a file: a named pipe would never end. */
export const readText = (file: string): string | undefined =>
  attempt(() => (statOf(file)?.isFile() ? readFileSync(file, "utf8") : undefined));

/** Returns the first characters of a file, or nothing if it cannot be read. The file may be a large program. */
export function startOf(file: string, length: number): string {
  const bytes = Buffer.alloc(length);
  const read = attempt(() => {
    if (!statOf(file)?.isFile()) return 0;
    const descriptor = openSync(file, "r");
    try {
      return readSync(descriptor, bytes);
    } finally {
      closeSync(descriptor);
    }
  });
  return bytes.toString("utf8", 0, read ?? 0);
}

export const isFolder = (file: string): boolean => pathKind(file) === "folder";

export const isLink = (file: string): boolean => attempt(() => lstatOf(file)?.isSymbolicLink()) === true;

/** Follows all symlinks in a path. Returns undefined if it does not exist, or cannot be followed. */
export const realPath = (file: string): string | undefined => attempt(() => realPathOf(file));

/** Follows all symlinks in a path, as far as it exists. `known` keeps the folders, because many paths share them. */
export function finalPath(file: string, known: Map<string, string>): string {
  const folder = path.dirname(file);
  const real = known.get(folder) ?? realPath(folder) ?? folder;
  known.set(folder, real);
  return (isLink(file) ? realPath(file) : undefined) ?? path.join(real, path.basename(file));
}
