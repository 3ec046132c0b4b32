import { spawn } from "node:child_process";
import { killProcessTree, PROCESS_TAG } from "../platform/process-tree.ts";
import { exceededLimitText, type ResourceWatch } from "./command-limit-watch.ts";

/**
 * A program that reads its input to the end and answers. `tag` identifies its processes, so that none outlives the daemon. `watch` limits
 * its processes and its memory. `endsAll`: processes that left its group end with it as well.
 */
type InputProgram = {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  tag: string;
  watch?: ResourceWatch | undefined;
  endsAll?: boolean;
};

/** The end of a program: its exit code with both outputs, or why it has none, as a part of a sentence that begins with its name. */
export type ProgramExit = { code: number; stdout: string; stderr: string } | { problem: string };

const MAX_OUTPUT = 1024 * 1024;
const DRAIN_MS = 100;

/**
 * Runs a program with `input` on its standard input. It has no terminal. At its time limit, after more than 1 MB of output, beyond its
 * limits, or when the signal aborts, Baton ends all of its processes. Processes that it leaves in its group end with it.
 */
export function runWithInput(
  { file, args, cwd, env, timeoutMs, tag, watch, endsAll = false }: InputProgram,
  input: string,
  signal: AbortSignal,
): Promise<ProgramExit> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], { cwd, env: { ...env, [PROCESS_TAG]: tag }, detached: true, stdio: ["pipe", "pipe", "pipe"] });
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
    const unwatch =
      child.pid === undefined ? undefined : watch?.add({ leader: child.pid, tag, over: (excess) => end(exceededLimitText(excess)) });
    const finish = (exit: ProgramExit) => {
      clearTimeout(timer);
      unwatch?.();
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
    child.stdin.on("error", () => undefined); // the program does not read its input
    child.stdin.end(input);
    child.once("error", (error) => finish({ problem: `it could not be started: ${error.message}` }));
    child.once("exit", (code, signalName) => {
      if (problem !== undefined) return;
      endGroup(child.pid);
      let isDone = false;
      const done = () => {
        if (isDone || problem !== undefined) return;
        isDone = true;
        const exit: ProgramExit = code === null ? { problem: `it was ended by ${signalName ?? "a signal"}` } : { code, ...output };
        const ended = () => finish(exit);
        if (endsAll) endTreeOf(child.pid, tag).then(ended, ended);
        else ended();
      };
      child.once("close", done);
      setTimeout(() => onceRead(() => size, done), DRAIN_MS); // a process that left the group may hold the pipes
    });
  });
}

/**
 * Calls `done` when a turn of the event loop has read nothing more. On a busy machine, the time limit can pass before the event loop has read
 * the output that is already in the pipes, and a decision in lost output would have no effect. Immediates run after reading.
 */
function onceRead(size: () => number, done: () => void): void {
  const before = size();
  setImmediate(() =>
    setImmediate(() => {
      if (size() === before) done();
      else onceRead(size, done);
    }),
  );
}

/** Ends all processes of a program at once. A process that is gone is no error. */
async function endTreeOf(leader: number | undefined, tag: string): Promise<void> {
  if (leader !== undefined) await killProcessTree(leader, tag, AbortSignal.abort()).catch(() => undefined);
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // nothing of the group is left
  }
}
