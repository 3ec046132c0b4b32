import { spawn } from "node:child_process";
import { sanitize } from "@baton/core/text/sanitize";
import { hangingIndent, contentWidth } from "../../render/layout.ts";
import type { TerminalClient } from "../terminal-client.ts";

const MAX_CHARACTERS = 8_000;
const MAX_LINES = 40;

/** Runs a command that the user typed after `!`, in their own shell. The next prompt includes its output. */
export async function runUserShell(client: TerminalClient, command: string): Promise<void> {
  const { output, code } = await runProgram(client, process.env["SHELL"] ?? "/bin/sh", ["-c", command]);
  const text = sanitize(output).trimEnd();
  const lines = text === "" ? [] : text.split("\n");
  const style = client.style();
  const visible = lines.slice(-MAX_LINES).flatMap((line) => hangingIndent(line, "  ", contentWidth(style)));
  client.print([
    style.ansi.bold(`! ${sanitize(command)}`),
    ...(lines.length > MAX_LINES ? [style.ansi.dim(`  … ${lines.length - MAX_LINES} more lines above`)] : []),
    ...visible,
    style.ansi.dim(`  ${code === 0 ? "" : `exit ${code ?? "by a signal"} · `}added to your next prompt`),
  ]);
  client.commandQueue.asides.push(
    `I ran \`${command}\`. It ended with ${code ?? "a signal"} and printed:\n\n${fenced(text.slice(-MAX_CHARACTERS))}`,
  );
}

type ProgramResult = { output: string; code: number | null };

/** Runs a program in the workspace, without input, until it ends or the user stops it. */
export function runProgram(client: TerminalClient, program: string, args: readonly string[], env = process.env): Promise<ProgramResult> {
  const child = spawn(program, args, { cwd: client.workspace, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  };
  const result = new Promise<ProgramResult>((ended, failed) => {
    let output = "";
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-10 * MAX_CHARACTERS);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", failed);
    child.on("close", (code) => ended({ output, code }));
  });
  return client.whileStoppable(stop, result);
}

/** Puts text into a fence that is longer than any fence in the text. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length + 1)));
  return `${fence}\n${text}\n${fence}`;
}
