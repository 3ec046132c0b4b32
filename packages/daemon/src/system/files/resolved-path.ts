import { readlinkSync, realpathSync } from "node:fs";

/** A path without links. `real`: absolute. `relative`: as clients and rules show it. */
export type ResolvedPath = { real: string; relative: string };

/** True if an opened file is still at this real path. On Linux the opened file is checked, elsewhere the path. */
export function isStillAtPath(file: number, real: string): boolean {
  return process.platform === "linux" ? readlinkSync(`/proc/self/fd/${file}`) === real : realpathSync.native(real) === real;
}
