import { realpathSync } from "node:fs";

/** A folder as its real path; one that is not there yet goes by its name. */
export function resolveFolder(folder: string): string {
  if (folder === "") return folder;
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
