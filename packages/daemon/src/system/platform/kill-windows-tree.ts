import { execFile } from "node:child_process";

/** The program that ends a process with all processes that it started, and its arguments. */
export const treeKillCall = (pid: number): readonly [program: string, args: readonly string[]] => [
  "taskkill",
  ["/PID", String(pid), "/T", "/F"],
];

/** Ends a process and its descendants on Windows. A process that has already ended is no error. */
export async function endWindowsTree(pid: number): Promise<void> {
  const [program, args] = treeKillCall(pid);
  await new Promise<void>((done) => execFile(program, args, { windowsHide: true }, () => done()));
}
