import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { currentPlatform, quoteFor } from "@baton/daemon/client";
import { drawTranscript } from "../../render/transcript/transcript.ts";
import type { TerminalClient } from "../terminal-client.ts";

/** Opens the prompt in the user's editor, and puts the edited text back into the line. */
export function editPromptOutside(client: TerminalClient): void {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-prompt-"));
  const file = path.join(folder, "prompt.md");
  try {
    writeFileSync(file, client.line.expandedText(), { mode: 0o600 });
    const problem = runOutside(client, process.env["VISUAL"] ?? process.env["EDITOR"] ?? "vi", [file]);
    if (problem !== undefined) return client.notify(`The editor failed: ${problem}. Set EDITOR to the program that you want.`);
    client.line.setText(readFileSync(file, "utf8").replace(/\n$/, ""));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shows the whole transcript of the session in the user's pager. */
export function showTranscript(client: TerminalClient): void {
  const view = client.view();
  if (!view || view.transcript.entries.length === 0) return client.notify("There is nothing to show yet.");
  const earlier = view.from > 1 ? [`… the earlier part: baton show ${view.id}`, ""] : [];
  showInPager(client, [...earlier, ...drawTranscript(view.transcript, client.style())]);
}

/** Shows a text in the user's pager. Without a pager the text goes into the scrollback. */
export function showInPager(client: TerminalClient, lines: readonly string[]): void {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-pager-"));
  const file = path.join(folder, "text");
  try {
    writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
    const pager = process.env["PAGER"] ?? "less";
    const problem = runOutside(client, pager, [file], { LESS: process.env["LESS"] ?? "-R" });
    if (problem !== undefined) client.print(lines);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Quotes an argument for the shell in which Node runs a command line. Undefined if that is impossible. */
export const quoteForShell = (text: string): string | undefined => quoteFor(currentPlatform() === "windows" ? "cmd" : "sh", text);

const ignore = (): void => undefined;

/** Runs a program that takes over the terminal. `command` may have arguments, as EDITOR may. Returns the problem if it failed. */
export function runOutside(client: TerminalClient, command: string, args: string[], env: Record<string, string> = {}): string | undefined {
  const quoted = args.map(quoteForShell);
  const impossible = args.find((_, i) => quoted[i] === undefined);
  if (impossible !== undefined) return `the shell cannot take the argument ${impossible}`;
  process.on("SIGINT", ignore); // Ctrl+C is for the program, but the terminal sends it to Baton as well
  const { status, error, signal } = client.withTerminalReleased(() =>
    spawnSync([command, ...quoted].join(" "), { shell: true, stdio: "inherit", env: { ...process.env, ...env } }),
  );
  setImmediate(() => process.off("SIGINT", ignore));
  if (error) return error.message;
  return status === 0 || signal === "SIGINT" ? undefined : `\`${command}\` ended with ${signal ?? `code ${status}`}`;
}
