import { enableCompileCache } from "node:module";
import { makeFolder } from "./make-folder.ts";
import type { BatonPaths } from "./paths.ts";

/**
 * What was compiled once is kept for the next start, in a folder of our own: in a shared one somebody else could put code
 * there. Where it cannot be made there is none; whoever needs the other folders says why.
 */
export function useCompileCache({ compileCache }: BatonPaths): void {
  try {
    makeFolder(compileCache);
  } catch {
    return; // slower, and that is all
  }
  enableCompileCache(compileCache);
}
