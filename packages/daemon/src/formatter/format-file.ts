import { readFile } from "node:fs/promises";
import type { ResolvedPath } from "../system/files/resolved-path.ts";
import { writeText } from "../system/files/write-text.ts";
import type { ProgramCommand, Sandbox } from "../system/sandbox/sandbox.ts";
import type { StdioProcesses } from "../system/commands/stdio-process.ts";
import type { FormatterCommand } from "./find-formatter.ts";

type FormatOptions = {
  processes: Pick<StdioProcesses, "start">;
  sandbox: Sandbox | undefined;
  /** The file of the formatter's program. Undefined if it is not installed. */
  program: string | undefined;
  command: FormatterCommand;
  cwd: string;
  report: (problem: string) => void;
};

const MAX_MS = 15_000;
const MAX_ERROR = 500;

/**
 * Runs a formatter on a file that was just written. True if the text changed. If the formatter fails or leaves an empty file, the text is
 * restored and the problem is reported.
 */
export async function formatFile(place: ResolvedPath, options: FormatOptions, signal: AbortSignal): Promise<boolean> {
  const { command, cwd, report } = options;
  const problem = (what: string) =>
    report(`the formatter ${command.name} ${what} (${place.relative} in ${cwd}), so the file keeps its text`);
  const before = await readFile(place.real).catch(() => undefined);
  if (before === undefined) return false; // the call removed the file
  if (options.program === undefined) {
    problem("is not installed");
    return false;
  }
  const failure = await run(options.program, options, signal);
  const after = await readFile(place.real).catch(() => undefined);
  const isEmptied = after === undefined || (after.toString().trim() === "" && before.toString().trim() !== "");
  if (failure === undefined && !isEmptied) return !before.equals(after);
  problem(failure ?? "left an empty file");
  if (after === undefined || !before.equals(after)) await writeText(place, before, new AbortController().signal);
  return false;
}

/** Runs the program to its end. Returns why it failed, if it did. */
async function run(program: string, { processes, sandbox, command, cwd }: FormatOptions, signal: AbortSignal): Promise<string | undefined> {
  const plain = { file: program, args: command.args };
  let wrapped: ProgramCommand;
  try {
    wrapped = sandbox?.wrap(plain, { cwd, keepsNetwork: false }) ?? plain;
  } catch (error) {
    return `was not run: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { file, args } = wrapped;
  const { promise: ended, resolve } = Promise.withResolvers<string | undefined>();
  let output = "";
  const started = await processes.start(
    `formatter/${command.name}`,
    { command: file, args, cwd, env: command.env },
    {
      onBytes: () => undefined,
      onStderr: (text) => (output = (output + text).slice(-MAX_ERROR)),
      onEnd: (why, exitCode) => resolve(exitCode === 0 ? undefined : `failed: ${why}${output.trim() === "" ? "" : `: ${output.trim()}`}`),
    },
  );
  if ("fault" in started) return `failed: ${started.message}`;
  const stop = (): void => void started.close().catch(() => undefined);
  const timer = setTimeout(() => {
    resolve(`did not end within ${MAX_MS / 1_000} seconds`);
    stop();
  }, MAX_MS);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
