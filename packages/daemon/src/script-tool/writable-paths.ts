import { lstatSync, mkdirSync, rmdirSync, unlinkSync, writeFileSync, type Stats } from "node:fs";
import path from "node:path";

/** The parts of a workspace that a script may change. `close`: removes what was created for it and still is as it was. */
export type WritablePaths = { edits: "all" | "none"; changes: readonly string[]; close: () => void };

/**
 * Prepares the declared paths of a call for the sandbox, which can open only files and folders that exist. A missing path is created: a folder
 * if it ends with a slash or its name has no ending, otherwise an empty file. A path outside of the workspace, or one over a link, stays closed.
 */
export function openWritablePaths(workspace: string, declared: readonly string[]): WritablePaths {
  const created: Created[] = [];
  const changes = declared.flatMap((entry) => {
    const whole = path.resolve(workspace, entry);
    if (!isBelow(whole, workspace) || !isPlain(whole, workspace)) return [];
    const isFolder = entry.endsWith("/") || path.extname(whole) === "";
    return makeMissing(whole, isFolder, created) ? [whole] : [];
  });
  const isWhole = declared.some((entry) => path.resolve(workspace, entry) === workspace);
  return {
    ...(isWhole ? { edits: "all", changes: [] } : { edits: "none", changes: [...new Set(changes)] }),
    close: () => created.toReversed().forEach(removeUnchanged),
  };
}

type Created = { file: string; stats: Stats };

const isBelow = (file: string, folder: string): boolean => file.startsWith(folder + path.sep);

/** Whether no part of a path below the workspace is a link. A link may lead to a place that nobody declared. */
function isPlain(file: string, workspace: string): boolean {
  for (let at = file; at !== workspace; at = path.dirname(at)) if (statOf(at)?.isSymbolicLink()) return false;
  return true;
}

/** Creates a file or folder, with the folders above it. False if that is impossible. */
function makeMissing(file: string, isFolder: boolean, created: Created[]): boolean {
  if (statOf(file)) return true;
  if (!makeMissing(path.dirname(file), true, created)) return false;
  try {
    if (isFolder) mkdirSync(file);
    else writeFileSync(file, "", { flag: "wx" });
  } catch {
    return false; // a part of the path is a file, or nobody may write there
  }
  created.push({ file, stats: lstatSync(file) });
  return true;
}

function removeUnchanged({ file, stats }: Created): void {
  const now = statOf(file);
  if (now?.ino !== stats.ino || (!now.isDirectory() && now.mtimeMs !== stats.mtimeMs)) return;
  try {
    if (now.isDirectory()) rmdirSync(file);
    else unlinkSync(file);
  } catch {
    // the script has put something into the folder
  }
}

const statOf = (file: string): Stats | undefined => lstatSync(file, { throwIfNoEntry: false });
