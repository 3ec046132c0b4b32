import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder that only its user can look into, and those above it; throws where that cannot be. Node's own
 * `recursive` never ends where a folder is there that can hold none, as below `/proc`.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const each of missing) makeOne(each);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process was faster
  }
}
