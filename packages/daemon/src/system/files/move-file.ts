import { lstatSync, realpathSync } from "node:fs";
import { link, unlink } from "node:fs/promises";
import path from "node:path";
import { systemFault, toSystemFault, type SystemFault } from "../system-fault.ts";
import { makeFolder } from "./make-folder.ts";
import type { ResolvedPath } from "./resolved-path.ts";

/** Adds the new name before it removes the old one, so that the file always has a name and never replaces another file. */
export async function moveFileOnDisk(
  from: ResolvedPath,
  to: ResolvedPath,
  signal: AbortSignal,
): Promise<{ relative: string; to: string } | SystemFault> {
  signal.throwIfAborted();
  try {
    const unfit = faultOfFile(from);
    if (unfit) return unfit;
    if (lstatSync(to.real, { throwIfNoEntry: false }))
      return systemFault("not_a_file", `${to.relative} already exists. Choose another name, or delete it first.`);
    const folder = path.dirname(to.real);
    await makeFolder(folder);
    if (realpathSync.native(folder) !== folder)
      return systemFault("moved", `${to.relative} now leads to another place. Read it again, then retry.`);
    await link(from.real, to.real);
    await unlink(from.real);
    return { relative: from.relative, to: to.relative };
  } catch (error) {
    return toSystemFault(error, from.relative);
  }
}

export async function removeFile(place: ResolvedPath, signal: AbortSignal): Promise<{ relative: string } | SystemFault> {
  signal.throwIfAborted();
  try {
    const unfit = faultOfFile(place);
    if (unfit) return unfit;
    await unlink(place.real);
    return { relative: place.relative };
  } catch (error) {
    return toSystemFault(error, place.relative);
  }
}

function faultOfFile({ real, relative }: ResolvedPath): SystemFault | undefined {
  const stats = lstatSync(real);
  if (stats.isDirectory()) return systemFault("not_a_file", `${relative} is a folder. Name the files in it.`);
  return stats.isFile() ? undefined : systemFault("not_a_file", `${relative} is not a regular file.`);
}
