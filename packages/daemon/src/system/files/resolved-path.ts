import { readlinkSync, realpathSync } from "node:fs";

/** Where a path really leads: `real` is absolute and free of links, `relative` is how it is shown. */
export type ResolvedPath = { real: string; relative: string };

/** Whether an opened file is still the one at this real path: Linux is asked for the file itself, others for the path. */
export function isStillAtPath(file: number, real: string): boolean {
  return process.platform === "linux" ? readlinkSync(`/proc/self/fd/${file}`) === real : realpathSync.native(real) === real;
}
