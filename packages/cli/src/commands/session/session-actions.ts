import { omitUndefined } from "@baton/core/text/omit-undefined";
import { newCommandId } from "@baton/core/client/command-client";
import { findSession } from "../../connection/find-by-id.ts";
import type { SessionCommand } from "@baton/core/protocol/command";
import { sanitize } from "@baton/core/text/sanitize";
import { confirm } from "../terminal-prompts.ts";
import { printJson, printLines } from "../output.ts";
import { CommandExit, EXIT_CODES, usageError } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Renames a session. */
export async function renameSession(reference: string, title: string, { json = false }: { json?: boolean }): Promise<void> {
  if (title.trim() === "") throw usageError("The title is empty.");
  await sendCommand(reference, { type: "rename", title }, json, `is called “${title}” now`);
}

/** Archives a session, or restores it from the archive. Nothing is deleted. */
export const archive = (reference: string, { json = false, undo = false }: { json?: boolean; undo?: boolean }): Promise<void> =>
  sendCommand(
    reference,
    { type: "archive", archived: !undo },
    json,
    undo ? "is restored from the archive" : `is archived; \`baton archive --undo ${reference}\` restores it`,
  );

/** Asks the coordinator which mode fits. The session works on it; a switch waits for an answer in the inbox. */
export const coordinate = (reference: string, reason: string | undefined, { json = false }: { json?: boolean }): Promise<void> =>
  sendCommand(
    reference,
    { type: "coordinate", promptId: newCommandId(), ...omitUndefined({ reason }) },
    json,
    `asks the coordinator; \`baton inbox\` shows its proposal`,
  );

function sendCommand(reference: string, command: SessionCommand, json: boolean, result: string): Promise<void> {
  return withConnection(async ({ api }) => {
    const { id } = await findSession(api, reference);
    const { seq } = await api.session.send.mutate({ sessionId: id, wish: command });
    if (json) printJson({ id, seq });
    else process.stdout.write(`Session ${id} ${result}.\n`);
  });
}

/** Forks a session, up to an event or as a whole. */
export async function fork(reference: string, { at, json = false }: { at?: number; json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id: sessionId } = await findSession(api, reference);
    const { id } = await api.session.fork.mutate({ sessionId, ...omitUndefined({ at }) });
    if (json) printJson({ id, forkedFrom: sessionId });
    else printLines([`Forked ${sessionId}${at === undefined ? "" : ` up to event ${at}`} as ${id}. \`baton attach ${id}\` opens it.`]);
  });
}

/** Deletes a session for good. In a terminal it asks first. */
export async function deleteSession(reference: string, { yes = false, json = false }: { yes?: boolean; json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { id, title } = await findSession(api, reference);
    if (!yes && !process.stdin.isTTY) throw usageError("Deleting cannot be undone. Pass --yes to delete without a terminal.");
    if (!yes && !(await confirm(`Delete ${id} “${sanitize(title)}” and its subtasks for good?`)))
      throw new CommandExit("Nothing was deleted.", EXIT_CODES.failed);
    const { deleted } = await api.session.delete.mutate({ sessionId: id });
    if (json) printJson({ deleted });
    else printLines([`Deleted: ${deleted.join(", ")}.`]);
  });
}
