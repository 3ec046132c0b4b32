import { statSync } from "node:fs";

/** Tells one state of a file from another: one that is replaced has another inode, one that is written another time or size. Undefined: there is none. */
export function fileStamp(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : undefined;
}
