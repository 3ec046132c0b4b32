import { spawn } from "node:child_process";
import { endTree, PROCESS_TAG } from "../system/platform/process-tree.ts";
import type { HookExit } from "./parse-hook-output.ts";

/** A command of a hook. `tag` identifies its processes, so that none outlives the daemon. */
export type HookCommand = {
  command: string;
  args?: readonly string[] | undefined;
  shell: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  tag: string;
};

const MAX_OUTPUT = 1024 * 1024;
const DRAIN_MS = 100;

/**
 * Runs the command of a hook with `input` on its standard input. It has no terminal. At its time limit, after too much output, or when the
 * signal aborts, Baton ends all of its processes. Processes that it leaves in its group end with it.
 */
export function runHookCommand(
  { command, args, shell, cwd, env, timeoutMs, tag }: HookCommand,
  input: string,
  signal: AbortSignal,
): Promise<HookExit> {
  return new Promise((resolve) => {
    const [program, words] = args ? [command, args] : [shell, ["-c", command]];
    const child = spawn(program, words, { cwd, env: { ...env, [PROCESS_TAG]: tag }, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    let size = 0;
    let problem: string | undefined;
    const end = (why: string) => {
      if (problem !== undefined) return;
      problem = why;
      const ended = () => finish({ problem: why });
      endTreeOf(child.pid, tag).then(ended, ended);
    };
    const onAbort = () => end("it was interrupted");
    const timer = setTimeout(() => end(`it did not end within ${timeoutMs / 1_000} seconds`), timeoutMs);
    const finish = (exit: HookExit) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      resolve(exit);
    };
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        size += text.length;
        if (size > MAX_OUTPUT) end(`it printed more than ${MAX_OUTPUT / 1024 / 1024} MB`);
        else output[name] += text;
      });
    child.stdin.on("error", () => undefined); // the hook does not read its input
    child.stdin.end(input);
    child.once("error", (error) => finish({ problem: `it could not be started: ${error.message}` }));
    child.once("exit", (code, signalName) => {
      if (problem !== undefined) return;
      endGroup(child.pid);
      const done = () => {
        if (problem === undefined) finish(code === null ? { problem: `it was ended by ${signalName ?? "a signal"}` } : { code, ...output });
      };
      child.once("close", done);
      setTimeout(done, DRAIN_MS); // a process that left the group may hold the pipes
    });
  });
}

/** Ends all processes of a hook at once. A process that is gone is no error. */
async function endTreeOf(leader: number | undefined, tag: string): Promise<void> {
  if (leader !== undefined) await endTree(leader, tag, AbortSignal.abort()).catch(() => undefined);
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // nothing of the group is left
  }
}
