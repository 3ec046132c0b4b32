import { realpathSync } from "node:fs";
import { sessionLines } from "../../render/screens/sessions.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

export type SessionsOptions = { json?: boolean; here?: boolean; archived?: boolean };

/** Lists sessions by workspace, newest first. */
export async function sessions({ json = false, here = false, archived = false }: SessionsOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const [rows, colors] = await Promise.all([
      api.session.list.query({
        archived,
        limit: json ? MAX_AS_JSON : MAX_SHOWN + 1,
        ...(here ? { workspace: realpathSync(process.cwd()) } : {}),
      }),
      fetchModeColors(api),
    ]);
    if (json) printJson(rows);
    else printLines(sessionLines(rows, terminalStyle(process.stdout, colors), MAX_SHOWN));
  });
}

const MAX_SHOWN = 500;
const MAX_AS_JSON = 10_000;
