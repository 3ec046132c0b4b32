import { statfs } from "node:fs/promises";
import path from "node:path";

/** Less than this many bytes is probably the reason why git could not write. */
const SCARCE = 100_000_000;

/** The reason of a failure in a folder, with the free space of its disk if that is scarce. Git does not say that a disk is full. */
export async function withDiskFullHint(why: string, folder: string): Promise<string> {
  const disk = await statfs(path.dirname(folder)).catch(() => undefined);
  const free = disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY;
  return free < SCARCE ? `${why}. The disk of ${path.dirname(folder)} has only ${(free / 1_000_000).toFixed(1)} MB free` : why;
}
