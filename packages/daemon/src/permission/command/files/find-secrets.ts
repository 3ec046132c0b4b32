import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { KEY_FILES } from "@baton/core/permission/rule-layers";
import type { FileListing } from "../programs/program-types.ts";
import { attempt, isBelow } from "./path-on-disk.ts";
import { isTracked } from "../git/git-index.ts";
import { holdsKeys, holdsToken, NOT_TEXT } from "./key-files.ts";
import { entriesBelow, entriesOf, type FolderEntry } from "./walk-folder.ts";

const MAX_FOLDERS = 2_000;
const PASSED = new Set([".git", "node_modules"]);

/**
 * Returns files below a folder that look like secrets. Only a limited number of the nearest folders is searched, so it stays
 * fast. With `follows`, the result includes all symlinks, because a search that follows them reads their targets. A search passes over private
 * keys that git tracks, because many projects have one for their tests.
 */
export const secretsBelow = (folder: string, follows = false, isSearch = true): string[] =>
  [folder, ...(isBelow(homedir(), folder) && folder !== homedir() ? [homedir()] : [])] // most keys are there
    .flatMap((root) => filesIn(root, follows))
    .filter(
      ({ file, entry }) =>
        holdsKeys(file, true) || (holdsKeys(file) && !(isSearch && isTracked(file))) || (follows && entry.isSymbolicLink()),
    )
    .map(({ file }) => file)
    .concat([path.join(folder, ".git/config")].filter(holdsToken));

/** True if a folder is too large to be searched and may hold a file with keys among those that are `listed`. */
export const mayHideKeys = (folder: string, listed: (file: string) => boolean): boolean =>
  [".env", "a.pem", "a.key", ...KEY_FILES].some((name) => listed(path.join(folder, name.replace("*", "a")))) &&
  [...entriesBelow(folder, { maxFolders: MAX_FOLDERS, enters: isSearched })].filter(isSearched).length >= MAX_FOLDERS;

/** Returns the symlinks below a folder. */
export const linksBelow = (folder: string): string[] =>
  filesIn(folder)
    .filter(({ entry }) => entry.isSymbolicLink())
    .map(({ file }) => file);

/** Names that change when they are passed on in a list. They look like flags, or the shell splits them into several words. */
const ODD = /(^|\/)-|[\s"'\\|<>]/;
const ODD_PATTERN = /[*?[]/;

/** A name that git prints in quotes and with escapes. */
const QUOTED = /[^\x20-\x7e]/;

type Listed = Pick<FileListing, "isGlobbed" | "isQuoted">;

/** True if a path has a part with such a name. `isGlobbed`: patterns of the shell are odd as well. `isQuoted`: git lists the names. */
export const isOddName = (name: string, { isGlobbed, isQuoted }: Listed = {}): boolean =>
  ODD.test(name) || (isGlobbed === true && ODD_PATTERN.test(name)) || (isQuoted === true && QUOTED.test(name));

/** True if a file below a folder, among those that are `listed`, has such a name, or if there are too many folders to tell. */
export function holdsOddNames(folder: string, names: Listed = {}, listed: (file: string) => boolean = () => true): boolean {
  let folders = 0;
  for (const { entry, below, file } of entriesBelow(folder, { enters: isSearched })) {
    if (isOddName(below, names) && listed(file)) return true;
    if (entry.isDirectory() && ++folders > MAX_FOLDERS) return true;
  }
  return false;
}

/** True for a folder that a search for special files enters. */
export const isSearched = ({ entry }: FolderEntry): boolean => entry.isDirectory() && !PASSED.has(entry.name);

/** Returns all files below a folder except in skipped folders. With `follows`, the symlinks in those still count. */
function filesIn(folder: string, follows = false): FolderEntry[] {
  const followed = new Set<string>();
  const enters = (found: FolderEntry): boolean => {
    const target = follows && found.entry.isSymbolicLink() ? folderBehind(found.file) : undefined;
    if (target === undefined) return isSearched(found);
    return followed.size < followed.add(target).size; // true for a new one
  };
  return [...entriesBelow(folder, { maxFolders: MAX_FOLDERS, enters })].flatMap((found) =>
    !found.entry.isDirectory() || found.entry.name.includes(NOT_TEXT)
      ? [found]
      : follows && PASSED.has(found.entry.name)
        ? linksIn(found)
        : [],
  );
}

const linksIn = ({ file: folder, below }: FolderEntry): FolderEntry[] =>
  entriesOf(folder)
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => ({ file: path.join(folder, entry.name), below: path.join(below, entry.name), entry }));

/** Returns an id for the folder that a symlink leads to. The id distinguishes it from other folders. */
function folderBehind(link: string): string | undefined {
  const there = attempt(() => statSync(link));
  return there?.isDirectory() ? `${there.dev} ${there.ino}` : undefined;
}
