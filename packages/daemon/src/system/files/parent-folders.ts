import { existsSync, lstatSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import type { ResolvedPath } from "./resolved-path.ts";

/** The folders above that are not there yet, the outermost first, named as the place is. */
export function missingParents({ real, relative }: ResolvedPath): string[] {
  const above = { real: path.dirname(real), relative: path.dirname(relative) };
  return existsSync(above.real) ? [] : [...missingParents(above), above.relative];
}

export const isFolder = ({ real }: Pick<ResolvedPath, "real">): boolean =>
  lstatSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Removes a folder that nothing lies in; one that others have put something into stays. */
export async function removeEmpty({ real }: Pick<ResolvedPath, "real">): Promise<boolean> {
  return rmdir(real).then(
    () => true,
    () => false,
  );
}
