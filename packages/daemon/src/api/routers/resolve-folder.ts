import { realpathSync } from "node:fs";

/** The real path of a folder. A folder that does not exist keeps its path. */
export function resolveFolder(folder: string): string {
  if (folder === "") return folder;
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
