import { withConnection } from "../../connection/daemon-connection.ts";
import { findSession, newestSession } from "../../connection/find-by-id.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { contextLines } from "../../render/lists/context.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";

/** Prints what fills the context of a session, by default of the newest one of this folder. */
export async function context(reference: string | undefined, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const id = reference === undefined ? await newestSession(api, resolveWorkspace(".")) : (await findSession(api, reference)).id;
    const report = await api.session.context.query({ sessionId: id });
    if (json) printJson({ id, ...report });
    else printLines(contextLines(report, terminalStyle()));
  });
}
