import { enableCompileCache } from "node:module";
import { makePrivateFolder } from "./make-private-folder.ts";
import type { BatonPaths } from "./paths.ts";

/**
 * Caches compiled code for the next start in a private folder, because in a shared folder another user could put code there. Without the
 * folder nothing is cached; the code that needs the other folders reports the problem.
 */
export function useCompileCache({ compileCache }: BatonPaths): void {
  try {
    makePrivateFolder(compileCache);
  } catch {
    return; // the start is only slower
  }
  enableCompileCache(compileCache);
}
