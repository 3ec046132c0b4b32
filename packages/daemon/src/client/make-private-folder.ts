import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/**
 * Creates a private folder and its parents. Throws if that is impossible. Node's `recursive` never returns below a folder that cannot have
 * children, such as `/proc`.
 */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const each of missing) makeOne(each);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error; // otherwise another process was faster
  }
}
