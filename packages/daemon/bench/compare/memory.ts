import { readdirSync, readFileSync } from "node:fs";

/** The memory of these processes and their descendants, in MiB. Shared memory counts once. */
export function memoryOf(roots: readonly number[]): number {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), field(pid, "status", "PPid")]),
  );
  const within = (pid: number): boolean => roots.includes(pid) || (pid > 1 && parents.has(pid) && within(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(within).reduce((sum, pid) => sum + field(pid, "smaps_rollup", "Pss") / 1024, 0);
}

/** Zero for a process that has just ended. */
function field(pid: string | number, file: string, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
