import { realpathSync } from "node:fs";
import { omitUndefined } from "@baton/core/text/omit-undefined";
import { auditCells, auditHeader, auditLine, csvLine } from "../../render/lists/audit.ts";
import { withConnection } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { findSession } from "../../connection/find-by-id.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";

export type AuditOptions = {
  here?: boolean;
  session?: string;
  /** Epoch milliseconds. */
  since?: number;
  until?: number;
  csv?: boolean;
  json?: boolean;
};

/** Prints the decisions page by page, so that a long history does not fill the memory. */
export async function audit({ here = false, session, csv = false, json = false, ...times }: AuditOptions): Promise<void> {
  if (csv && json) throw usageError("--csv and --json exclude each other. Pass one of them.");
  await withConnection(async ({ api }) => {
    const style = terminalStyle();
    const filter = {
      ...times,
      ...omitUndefined({
        workspace: here ? realpathSync(process.cwd()) : undefined,
        sessionId: session === undefined ? undefined : (await findSession(api, session)).id,
      }),
    };
    if (csv) printLines([csvLine(auditHeader)]);
    let [isEmpty, after] = [true, undefined as { createdAt: number; id: string } | undefined];
    do {
      const { rows, next } = await api.permission.audit.query({ ...filter, ...omitUndefined({ after }) });
      if (json) for (const row of rows) printJson(row);
      else printLines(rows.map((row) => (csv ? csvLine(auditCells(row)) : auditLine(row, style))));
      isEmpty &&= rows.length === 0;
      after = next;
    } while (after);
    if (isEmpty && !json && !csv) printLines(["No decisions. Baton records one when a rule or you allow or deny a call."]);
  });
}
