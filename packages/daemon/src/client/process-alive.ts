import { readFileSync } from "node:fs";

/** Whether a process of this user is running. A zombie is not. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false; // it ended between the two checks
  }
}
