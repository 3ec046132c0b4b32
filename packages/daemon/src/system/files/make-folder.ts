import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";

/**
 * Makes the folder of a file of the workspace, and those above it; throws where that cannot be. Node's own `recursive`
 * never ends where a folder is there that can hold none, as below `/proc`, and would keep one of its few threads for ever.
 */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const each of missing)
    await mkdir(each).catch((error: unknown) => {
      if (!existsSync(each)) throw error; // else somebody was faster
    });
}
