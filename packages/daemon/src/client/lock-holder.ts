import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { currentPlatform } from "../system/platform/platform.ts";

/** The process that holds the lock of a Baton home: a daemon, or a program that works on its store. */
export type LockHolder = { pid: number; isDaemon: boolean };

/** Asks the operating system, so it also finds a daemon that hangs. Undefined if no process holds the lock or the system does not say. */
export function findLockHolder(file: string): LockHolder | undefined {
  const pid = currentPlatform() === "linux" ? holderInLockTable(file) : holderByLsof(file);
  return pid === undefined ? undefined : { pid, isDaemon: !/[/\\]store\.js/.test(commandLine(pid)) };
}

/** Reads a line such as `1: POSIX  ADVISORY  WRITE 4711 08:01:1234 ...`: the process and the inode of the file. */
function holderInLockTable(file: string): number | undefined {
  try {
    const { ino } = statSync(file);
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      const [, pid, inode] = /POSIX +\S+ +WRITE +(\d+) +\S+:(\d+) /.exec(line) ?? [];
      if (Number(inode) === ino && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // there is no such file or no such table
  }
  return undefined;
}

function holderByLsof(file: string): number | undefined {
  if (currentPlatform() === "windows") return undefined;
  const { stdout } = spawnSync("lsof", ["-t", file], { encoding: "utf8", timeout: 5_000 });
  const pid = Number.parseInt(stdout ?? "", 10);
  return Number.isNaN(pid) ? undefined : pid;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
