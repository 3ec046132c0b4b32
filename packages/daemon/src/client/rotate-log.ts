import { renameSync, statSync } from "node:fs";

const MAX_LOG_BYTES = 5_000_000;

/** Moves a large log aside before a daemon starts, so that the log takes at most twice its limit. The previous log ends in `.1`. */
export function rotateLog(file: string, maxBytes = MAX_LOG_BYTES): void {
  try {
    if (statSync(file).size > maxBytes) renameSync(file, `${file}.1`);
  } catch {
    // there is no log yet, or it cannot be moved; the daemon appends to it
  }
}
