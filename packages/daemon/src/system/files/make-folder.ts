import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";

/**
 * Creates a folder of the workspace and its parents. Throws if that is impossible. Node's `recursive` never returns below a folder that
 * cannot have children, such as `/proc`, and would block one of its few threads forever.
 */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const each of missing)
    await mkdir(each).catch((error: unknown) => {
      if (!existsSync(each)) throw error; // otherwise another process was faster
    });
}
