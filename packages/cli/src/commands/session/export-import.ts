import { readFileSync } from "node:fs";
import { text as textOf } from "node:stream/consumers";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { transcriptMarkdown } from "@baton/core/session/transcript/transcript-markdown";
import { transcriptHtml, type HtmlExport } from "@baton/core/session/transcript/html/transcript-html";
import { formatCount } from "@baton/core/text/format";
import { sanitize } from "@baton/core/text/sanitize";
import { readAllEvents } from "@baton/core/client/follow-events";
import { confirm } from "../terminal-prompts.ts";
import { findSession } from "../../connection/find-by-id.ts";
import { printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { newCommandId } from "@baton/core/client/command-client";

export type ExportOptions = { markdown?: boolean; html?: boolean; yes?: boolean };

/** Prints a session: its events as JSON lines, or its transcript as Markdown or as HTML. */
export async function exportSession(reference: string, { markdown = false, html = false, yes = false }: ExportOptions): Promise<void> {
  if (markdown && html) throw usageError("--markdown and --html exclude each other. Pass one of them.");
  await withConnection(async ({ api }) => {
    const { id, title, workspace, createdAt } = await findSession(api, reference);
    const events = await readAllEvents(api, id);
    if (html)
      await writeHtml(
        transcriptHtml({ id, title, workspace, createdAt }, events, (at) => new Date(at).toLocaleString()),
        yes,
      );
    else if (markdown) process.stdout.write(transcriptMarkdown(sanitize(title) || id, events));
    else for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
  });
}

/** Prints the page after saying how many secrets are masked. In a terminal it asks first. */
async function writeHtml({ html, masked }: HtmlExport, yes: boolean): Promise<void> {
  const found = masked === 0 ? "No secrets were found" : `${formatCount(masked, "secret")} masked`;
  process.stderr.write(`${found}. Baton knows common keys and tokens only, so read the file before you share it.\n`);
  if (!yes && process.stdin.isTTY && !(await confirm("Write the conversation?")))
    throw new CommandExit("Nothing was written.", EXIT_CODES.failed);
  process.stdout.write(html);
}

/** Creates a session from an export. */
export async function importSession(file: string, { cwd, json = false }: { cwd?: string; json?: boolean }): Promise<void> {
  const text = file === "-" ? await textOf(process.stdin) : readOrStop(file);
  const events = text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [parseEvent(line, i + 1, file)]));
  if (events.length === 0) throw usageError(`${file} has no events. \`baton export\` creates such a file.`);
  await withConnection(async ({ api }) => {
    const id = await importEvents(api, resolveWorkspace(cwd ?? "."), events);
    if (json) printJson({ id });
    else printLines([`Imported as ${id}. \`baton attach ${id}\` opens it.`]);
  });
}

function parseEvent(line: string, n: number, file: string): LoggedEvent {
  try {
    return JSON.parse(line) as LoggedEvent; // the daemon checks its shape
  } catch {
    throw usageError(`${file}:${n} is not JSON. An export has one event per line.`);
  }
}

function readOrStop(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw usageError(`${file} cannot be read.`);
  }
}

/** Characters in a piece. A message to the daemon has at most one megabyte, and a character takes at most three bytes. */
const MAX_PER_PIECE = 300_000;
const MAX_EVENTS = 5_000;

/** Sends an export to the daemon in pieces, and returns the id of the new session. */
async function importEvents(api: Api, workspace: string, events: readonly LoggedEvent[]): Promise<string> {
  const commandId = newCommandId();
  for (let from = 0; ;) {
    const piece = pieceFrom(events, from);
    const last = from + piece.length >= events.length;
    const { id } = await api.session.import.mutate({ commandId, workspace, events: piece, from, last });
    if (id !== null) return id;
    from += piece.length;
  }
}

/** The events that fit into one piece; at least one. */
function pieceFrom(events: readonly LoggedEvent[], from: number): LoggedEvent[] {
  let [end, characters] = [from, 0];
  while (end < events.length && end - from < MAX_EVENTS) {
    characters += JSON.stringify(events[end]).length;
    if (characters > MAX_PER_PIECE && end > from) break;
    end++;
  }
  return events.slice(from, end);
}
