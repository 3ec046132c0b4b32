import { defined } from "@baton/core/text/defined";
import { newCommandId } from "@baton/core/client/commands";
import { findSession } from "../../connection/find-by-id.ts";
import type { SessionCommand } from "@baton/core/protocol/command";
import { printJson } from "../output.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Renames a session. */
export async function rename(reference: string, title: string, { json = false }: { json?: boolean }): Promise<void> {
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
    { type: "coordinate", promptId: newCommandId(), ...defined({ reason }) },
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
