import { omitUndefined } from "@baton/core/text/omit-undefined";
import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { systemFault, type SystemFault } from "../system-fault.ts";

type RipgrepOptions = {
  cwd: string;
  separator: "\n" | "\0";
  /** One line or name without its end. Return false to stop. */
  onLine: (line: string) => boolean;
  signal: AbortSignal;
  timeLimitMs: number;
};

const MAX_COMPLAINT = 2_000;

/** Runs ripgrep. `cut`: it was stopped early, by the caller or by the time limit. */
export async function runRipgrep(
  args: readonly string[],
  { cwd, separator, onLine, signal, timeLimitMs }: RipgrepOptions,
): Promise<{ cut: boolean } | SystemFault> {
  signal.throwIfAborted();
  const binary = await binaryPath();
  if (typeof binary !== "string") return binary;
  const { HOME, XDG_CONFIG_HOME } = process.env;
  const env = { ...omitUndefined({ HOME, XDG_CONFIG_HOME }) };
  const child = spawn(binary, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.withResolvers<number | null>();
  const failed = Promise.withResolvers<SystemFault>();
  let cut = false;
  let complaint = "";
  const stop = () => void child.kill("SIGKILL");
  const cutOff = () => {
    cut = true;
    stop();
  };
  const timer = setTimeout(cutOff, timeLimitMs);
  signal.addEventListener("abort", stop, { once: true });
  child.once("error", (error) => failed.resolve(systemFault("not_started", `The search could not be started: ${error.message}.`)));
  child.once("close", (code) => ended.resolve(code));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint = (complaint + text).slice(0, MAX_COMPLAINT)));
  const lines = splitter(separator, onLine);
  child.stdout.on("data", (chunk: Buffer) => {
    if (!cut && !lines.push(chunk)) cutOff();
  });
  try {
    const code = await Promise.race([ended.promise, failed.promise]);
    signal.throwIfAborted();
    if (typeof code === "object" && code !== null) return code;
    if (!cut) lines.end();
    if (code === 2 && complaint !== "")
      return systemFault("bad_pattern", `The pattern is not a valid regular expression: ${complaint.trim()}`);
    return { cut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

async function binaryPath(): Promise<string | SystemFault> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch (error) {
    return systemFault(
      "not_started",
      `ripgrep is not installed for this machine: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function splitter(separator: string, onLine: (line: string) => boolean) {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    push(chunk: Buffer): boolean {
      const lines = (rest + decoder.write(chunk)).split(separator);
      rest = lines.pop() ?? "";
      return lines.every((line) => onLine(line));
    },
    end(): void {
      if (rest !== "") onLine(rest);
    },
  };
}
