import type { SharedDependencies } from "../../session/session-dependencies.ts";
import { openFileFinder, type FileFinder } from "../../system/files/file-finder.ts";
import { listReadableFiles } from "../agent/readable-files.ts";

/** More files than this are not offered for completion. */
const MAX_FILES = 200_000;

/** Finds files of workspaces for completion. */
export const fileFinder = (services: SharedDependencies, now: () => number): FileFinder => {
  const list = listReadableFiles(services);
  return openFileFinder({ now, list: async (workspace) => (await list(workspace, MAX_FILES))?.files });
};
