import { backgroundStatusText, type BackgroundCommand } from "@baton/core/session/background-command";
import { oneLine } from "@baton/core/text/sanitize";
import { backgroundTimes } from "../../render/lists/background.ts";
import type { TerminalClient } from "../terminal-client.ts";
import { quoteForShell, runOutside } from "./external-programs.ts";
import { inBackground } from "./pickers.ts";

/** `/background`: lets the user pick a background command of the session, to follow its output or to stop it. */
export async function pickBackgroundCommand(client: TerminalClient): Promise<void> {
  const view = client.view();
  const rows = view ? await client.link.api.command.list.query({ sessionId: view.id }) : [];
  if (rows.length === 0) return client.notify("This session has run no command in the background.");
  const now = Date.now();
  client.pick({
    title: rows.some(({ terminal }) => terminal)
      ? "Follow or use which command? Ctrl+C comes back, and Ctrl+] from a terminal."
      : "Follow the output of which command? Ctrl+C comes back.",
    items: rows.map((row) => ({
      label: oneLine(row.command),
      detail: [backgroundStatusText(row), ...(row.terminal ? ["terminal"] : []), backgroundTimes(row, now), row.id].join(" · "),
      value: row,
    })),
    onPick: (row) => (row.terminal ? attach(client, row) : follow(client, row)),
    alternative: { label: "stops it", onPick: (row) => inBackground(client, stop(client, row)) },
  });
}

function follow(client: TerminalClient, { sessionId, id }: BackgroundCommand): void {
  runBackground(client, ["output", sessionId, id, "--follow"], "The output could not be shown");
}

function attach(client: TerminalClient, { sessionId, id }: BackgroundCommand): void {
  runBackground(client, ["attach", sessionId, id], "The terminal could not be shown");
}

function runBackground(client: TerminalClient, args: readonly string[], failure: string): void {
  const program = quoteForShell(process.execPath) ?? process.execPath;
  const problem = runOutside(client, program, [process.argv[1] ?? "", "background", ...args]);
  if (problem !== undefined) client.notify(`${failure}: ${problem}.`);
}

async function stop(client: TerminalClient, { sessionId, id, status }: BackgroundCommand): Promise<void> {
  if (status !== "running") return client.notify(`${id} has already ended.`);
  await client.link.api.command.stop.mutate({ sessionId, id });
  client.notify(`${id} is stopped.`);
}
