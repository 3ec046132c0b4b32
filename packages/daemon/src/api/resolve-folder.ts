import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { throwRefusal } from "./trpc.ts";

/** The real path of a folder. A folder that does not exist keeps its path. */
export function resolveFolder(folder: string): string {
  if (folder === "") return folder;
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Replaces `~` at the start of a path by the user's folder. */
export const expandHome = (folder: string): string => folder.replace(/^~(?=\/|$)/, homedir());

/** The real path of a folder that a user named. Refuses one that does not exist. */
export const realFolder = (cwd: string): Promise<string> =>
  realpath(expandHome(cwd)).catch(() => throwRefusal("workspace_not_found", `There is no folder ${cwd}.`));
