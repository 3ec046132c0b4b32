import { readdirSync, type Dirent } from "node:fs";
import path from "node:path";

const MOST_FOLDERS = 24;
const SECRET = /^\.env(\..*)?$|\.env$/;
const KEY = /^(id_(rsa|dsa|ecdsa|ed25519)|\.netrc|\.git-credentials|\.pypirc|\.pgpass|\.vault-token)$/;

/** Whether a path has the name of a file with secrets, wherever it lies. */
export function isSecretName(file: string): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return /\.env/.test(name) || KEY.test(name);
}
const PASSED = new Set([".git", "node_modules"]);

/** Files below a folder that look as if they held secrets: of the folders nearest to it, so many that it takes no time. */
export function secretsBelow(folder: string): string[] {
  const found: string[] = [];
  const folders = [folder];
  for (let i = 0; i < folders.length && i < MOST_FOLDERS; i++) {
    const at = folders[i] ?? "";
    for (const entry of entriesOf(at)) {
      if (entry.isDirectory() && !PASSED.has(entry.name)) folders.push(path.join(at, entry.name));
      else if (SECRET.test(entry.name) || KEY.test(entry.name)) found.push(path.join(at, entry.name));
    }
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no folder, or none that may be read: neither can the program
  }
}
