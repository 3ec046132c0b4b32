import { spawn } from "node:child_process";

/** The line that a command printed, or why there is none. */
export type StatusResult = { line: string } | { problem: string };

const MAX_OUTPUT = 16_384;

/** Runs a status line command with the JSON on its standard input. After `timeoutMs` it is killed with all its children. */
export function runStatusCommand(
  command: string,
  input: object,
  { cwd, timeoutMs, signal }: { cwd: string; timeoutMs: number; signal: AbortSignal },
): Promise<StatusResult> {
  const child = spawn("/bin/sh", ["-c", command], { cwd, stdio: ["pipe", "pipe", "ignore"], detached: true });
  return new Promise((resolve) => {
    let output = "";
    const end = (result: StatusResult) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      killGroup(child.pid); // also what the command has left running
      resolve(result);
    };
    const onAbort = () => end({ problem: "it was stopped" });
    const timer = setTimeout(() => end({ problem: `it took longer than ${timeoutMs / 1_000} s` }), timeoutMs);
    signal.addEventListener("abort", onAbort);
    child.stdin.on("error", () => undefined); // the command may end without reading its input
    child.stdin.end(JSON.stringify(input));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < MAX_OUTPUT) output += text;
    });
    child.on("error", (error) => end({ problem: error.message }));
    child.on("exit", (code) => {
      if (code !== 0) end({ problem: code === null ? "a signal ended it" : `it ended with code ${code}` });
    });
    child.stdout.on("close", () => {
      if (child.exitCode === 0) end(resultOf(output));
      else child.on("exit", (code) => code === 0 && end(resultOf(output)));
    });
  });
}

function resultOf(output: string): StatusResult {
  const [line = ""] = output.split("\n");
  return line.trim() === "" ? { problem: "it printed nothing" } : { line };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // all its processes have ended
  }
}
