import { lstatSync, type Stats } from "node:fs";

/** The stats of a path, without following a link. Undefined if it does not exist, or if a part of it is a file. */
export function statIfExists(real: string): Stats | undefined {
  try {
    return lstatSync(real, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
