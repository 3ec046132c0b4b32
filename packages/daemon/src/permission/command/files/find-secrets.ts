import { statSync } from "node:fs";
import path from "node:path";
import { entriesBelow, entriesOf, type Entry } from "./walk-folder.ts";

const MAX_FOLDERS = 300;
const MAX_NAMED_FOLDERS = 2_000;
const SECRET = /^\.env(\..*)?$|\.env$/;
const KEY = /^(id_(rsa|dsa|ecdsa|ed25519)|\.netrc|\.git-credentials|\.pypirc|\.pgpass|\.vault-token)$/;

/** Whether a path has the name of a file with secrets, wherever it lies. */
export function isSecretName(file: string): boolean {
  const name = nameOf(file);
  return /\.env/.test(name) || KEY.test(name);
}

/** The same of a file that is there, so that what only sounds like one is none. */
export const isSecretFile = (file: string): boolean =>
  SECRET.test(nameOf(file)) || KEY.test(nameOf(file)) || /(^|\/)\.aws\/credentials$/.test(file);

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);

const PASSED = new Set([".git", "node_modules"]);

/**
 * Files below a folder that look as if they held secrets: of the folders nearest to it, so many that it takes no time. Who
 * `follows` links comes to what they lead to, so all of those are among them.
 */
export const secretsBelow = (folder: string, follows = false): string[] =>
  filesIn(folder, follows)
    .filter(({ file, entry }) => isSecretFile(file) || (follows && entry.isSymbolicLink()))
    .map(({ file }) => file);

/** The links among them. */
export const linksBelow = (folder: string): string[] =>
  filesIn(folder, false)
    .filter(({ entry }) => entry.isSymbolicLink())
    .map(({ file }) => file);

/** Names that a list of names does not hand on as they are: they look like flags, or fall into several words. */
const ODD = /^-|[\s"'\\|<>]/;

/** Whether a file below a folder has such a name, or there are too many folders to say. */
export function holdsOddNames(folder: string): boolean {
  let folders = 0;
  for (const { entry } of entriesBelow(folder, { enters: isSearched }))
    if (ODD.test(entry.name) || (entry.isDirectory() && ++folders > MAX_NAMED_FOLDERS)) return true;
  return false;
}

const isSearched = ({ entry }: Entry): boolean => entry.isDirectory() && !PASSED.has(entry.name);

/** What is below a folder without folders themselves. Of folders that are passed over, what their links lead to counts for who follows them. */
function filesIn(folder: string, follows: boolean): Entry[] {
  const followed = new Set<string>();
  const enters = (found: Entry): boolean => {
    const target = follows && found.entry.isSymbolicLink() ? folderBehind(found.file) : undefined;
    if (target === undefined) return isSearched(found);
    const isNew = !followed.has(target);
    followed.add(target);
    return isNew;
  };
  return [...entriesBelow(folder, { maxFolders: MAX_FOLDERS, enters })].flatMap((found) =>
    !found.entry.isDirectory() ? [found] : follows && PASSED.has(found.entry.name) ? linksIn(found) : [],
  );
}

const linksIn = ({ file: folder, below }: Entry): Entry[] =>
  entriesOf(folder)
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => ({ file: path.join(folder, entry.name), below: path.join(below, entry.name), entry }));

/** What tells a folder that a link leads to from others. */
function folderBehind(link: string): string | undefined {
  try {
    const there = statSync(link);
    return there.isDirectory() ? `${there.dev} ${there.ino}` : undefined;
  } catch {
    return undefined; // it leads nowhere
  }
}
