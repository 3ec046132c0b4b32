import { lstatSync, type Stats } from "node:fs";

/** What is at a path, without following a link. Undefined if there is nothing, or if a part of the path is a file. */
export function statsOf(real: string): Stats | undefined {
  try {
    return lstatSync(real, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
