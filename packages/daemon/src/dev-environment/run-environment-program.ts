import { oneLine } from "@baton/core/text/sanitize";
import type { ProgramExit } from "../system/commands/run-with-input.ts";

/** Runs the program of a tool in the folder, with bounded time and output. `path`: the PATH that it gets. `visible`: what it may read in the sandbox. */
export type RunEnvironmentProgram = ((program: {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  visible: readonly string[];
}) => Promise<ProgramExit>) & { path: string };

const MAX_REASON = 300;

/** A sentence about a program that failed, with the end of what it printed. */
export function programProblem(name: string, exit: ProgramExit): string {
  if ("problem" in exit) return `${name} gave no environment: ${exit.problem}.`;
  const said = oneLine(exit.stderr.trim().split("\n").slice(-3).join(" "));
  return `${name} gave no environment: it ended with ${exit.code}${said === "" ? "" : ` (${said.slice(-MAX_REASON).toWellFormed()})`}.`;
}
