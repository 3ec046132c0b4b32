import { statSync, type Dirent } from "node:fs";
import path from "node:path";
import { entriesOf } from "./entries.ts";

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
export function secretsBelow(folder: string, follows = false): string[] {
  const found: string[] = [];
  walk(folder, follows, (file, entry) => {
    if (isSecretFile(file) || (follows && entry.isSymbolicLink())) found.push(file);
  });
  return found;
}

/** The links among them. */
export function linksBelow(folder: string): string[] {
  const found: string[] = [];
  walk(folder, false, (file, entry) => {
    if (entry.isSymbolicLink()) found.push(file);
  });
  return found;
}

/** Names that a list of names does not hand on as they are: they look like flags, or fall into several words. */
const ODD = /^-|[\s"'\\|<>]/;

/** Whether a file below a folder has such a name, or there are too many folders to say. */
export function holdsOddNames(folder: string): boolean {
  const folders = [folder];
  for (let i = 0; i < folders.length; i++) {
    if (i >= MAX_NAMED_FOLDERS) return true;
    for (const entry of entriesOf(folders[i] ?? "")) {
      if (ODD.test(entry.name)) return true;
      if (entry.isDirectory() && !PASSED.has(entry.name)) folders.push(path.join(folders[i] ?? "", entry.name));
    }
  }
  return false;
}

function walk(folder: string, follows: boolean, visit: (file: string, entry: Dirent) => void): void {
  const folders = [folder];
  const followed = new Set<string>();
  for (let i = 0; i < folders.length && i < MAX_FOLDERS; i++) {
    const at = folders[i] ?? "";
    for (const entry of entriesOf(at)) {
      const file = path.join(at, entry.name);
      if (!entry.isDirectory()) visit(file, entry);
      else if (!PASSED.has(entry.name)) folders.push(file);
      else if (follows) for (const link of linksIn(file)) visit(path.join(file, link.name), link);
      const target = follows && entry.isSymbolicLink() ? folderBehind(file) : undefined;
      if (target === undefined || followed.has(target)) continue;
      followed.add(target);
      folders.push(file);
    }
  }
}

const linksIn = (folder: string): Dirent[] => entriesOf(folder).filter((entry) => entry.isSymbolicLink());

/** What tells a folder that a link leads to from others. */
function folderBehind(link: string): string | undefined {
  try {
    const there = statSync(link);
    return there.isDirectory() ? `${there.dev} ${there.ino}` : undefined;
  } catch {
    return undefined; // it leads nowhere
  }
}
