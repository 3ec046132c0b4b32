import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { drawTranscript } from "../../render/transcript/transcript.ts";
import type { TerminalClient } from "../client.ts";

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

/** Runs a program that takes over the terminal. `command` may have arguments, as EDITOR may. Returns the problem if it failed. */
function runOutside(client: TerminalClient, command: string, args: string[], env: Record<string, string> = {}): string | undefined {
  const quoted = args.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(" ");
  const { status, error, signal } = client.withTerminalReleased(() =>
    spawnSync(`${command} ${quoted}`, { shell: true, stdio: "inherit", env: { ...process.env, ...env } }),
  );
  if (error) return error.message;
  return status === 0 ? undefined : `\`${command}\` ended with ${signal ?? `code ${status}`}`;
}
