import { existsSync, lstatSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import type { Place } from "./resolved-path.ts";

/** The folders above that are not there yet, the outermost first, named as the place is. */
export function missingAbove({ real, relative }: Place): string[] {
  const above = { real: path.dirname(real), relative: path.dirname(relative) };
  return existsSync(above.real) ? [] : [...missingAbove(above), above.relative];
}

export const isFolder = ({ real }: Pick<Place, "real">): boolean => lstatSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Removes a folder that nothing lies in; one that others have put something into stays. */
export async function removeEmpty({ real }: Pick<Place, "real">): Promise<boolean> {
  return rmdir(real).then(
    () => true,
    () => false,
  );
}
