import { readFileSync } from "node:fs";
import { text as textOf } from "node:stream/consumers";
import type { Logged } from "@baton/core/protocol/event";
import { transcriptMarkdown } from "@baton/core/session/transcript-markdown";
import { sanitize } from "@baton/core/text/sanitize";
import { readAllEvents } from "@baton/core/client/follow-events";
import { confirm } from "../terminal-prompts.ts";
import { findSession } from "../../connection/find-by-id.ts";
import { printJson, printLines } from "../output.ts";
import { EXIT, Stop, usage } from "../../connection/exit-codes.ts";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { resolveWorkspace } from "../../connection/workspace.ts";
import { newCommandId } from "@baton/core/client/command-links";

/** Begins a session that repeats another one, up to a seq or to its end. */
export async function fork(named: string, { at, json = false }: { at?: number; json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id: sessionId } = await findSession(api, named);
    const { id } = await api.session.fork.mutate({ sessionId, ...(at === undefined ? {} : { at }) });
    if (json) printJson({ id, forkedFrom: sessionId });
    else printLines([`${id} repeats ${sessionId}${at === undefined ? "" : ` up to ${at}`}. \`baton attach ${id}\` goes on with it.`]);
  });
}

/** Prints a session: every event as a line of JSON, or the conversation as markdown. */
export async function exportSession(named: string, { markdown = false }: { markdown?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id, title } = await findSession(api, named);
    const events = await readAllEvents(api, id);
    if (markdown) process.stdout.write(transcriptMarkdown(sanitize(title) || id, events));
    else for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
  });
}

/** Begins a session from an export. */
export async function importSession(file: string, { cwd, json = false }: { cwd?: string; json?: boolean }): Promise<void> {
  const text = file === "-" ? await textOf(process.stdin) : readOrStop(file);
  const events = text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [eventOf(line, i + 1, file)]));
  if (events.length === 0) throw usage(`${file} holds no events. \`baton export\` writes them.`);
  await withConnection(async ({ api }) => {
    const id = await importEvents(api, resolveWorkspace(cwd ?? "."), events);
    if (json) printJson({ id });
    else printLines([`${id} is there. \`baton attach ${id}\` goes on with it.`]);
  });
}

/** Removes a session for good, after asking. */
export async function deleteSession(named: string, { yes = false, json = false }: { yes?: boolean; json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id, title } = await findSession(api, named);
    if (!yes && !process.stdin.isTTY) throw usage("Deleting is for good. Say --yes where nobody can be asked.");
    if (!yes && !(await confirm(`Delete ${id} “${sanitize(title)}” and its subtasks for good?`)))
      throw new Stop("Nothing is deleted.", EXIT.failed);
    const { deleted } = await api.session.delete.mutate({ sessionId: id });
    if (json) printJson({ deleted });
    else printLines([`Deleted: ${deleted.join(", ")}.`]);
  });
}

function eventOf(line: string, n: number, file: string): Logged {
  try {
    return JSON.parse(line) as Logged; // the daemon checks its shape
  } catch {
    throw usage(`${file}:${n} is no JSON. An export has one event per line.`);
  }
}

function readOrStop(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw usage(`${file} cannot be read.`);
  }
}

/** Characters in a piece: a message to the daemon has at most a megabyte, and one of these takes three bytes at most. */
const MAX_PER_PIECE = 300_000;
const MAX_EVENTS = 5_000;

/** Hands an export over, piece by piece, and gives the id of the new session. */
async function importEvents(api: Api, workspace: string, events: readonly Logged[]): Promise<string> {
  const commandId = newCommandId();
  for (let from = 0; ;) {
    const piece = pieceFrom(events, from);
    const last = from + piece.length >= events.length;
    const { id } = await api.session.import.mutate({ commandId, workspace, events: piece, from, last });
    if (id !== null) return id;
    from += piece.length;
  }
}

/** At least one event, and no more than fit. */
function pieceFrom(events: readonly Logged[], from: number): Logged[] {
  let [end, letters] = [from, 0];
  while (end < events.length && end - from < MAX_EVENTS) {
    letters += JSON.stringify(events[end]).length;
    if (letters > MAX_PER_PIECE && end > from) break;
    end++;
  }
  return events.slice(from, end);
}
