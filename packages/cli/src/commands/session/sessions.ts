import { omitUndefined } from "@baton/core/text/omit-undefined";
import { realpathSync } from "node:fs";
import { sessionLines } from "../../render/lists/sessions.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

type SessionsOptions = { json?: boolean; here?: boolean; archived?: boolean };

/** Lists sessions by workspace, newest first. Those of this folder include the sessions of its places. */
export async function sessions({ json = false, here = false, archived = false }: SessionsOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const folder = realpathSync(process.cwd());
    const places = await api.place.list.query(here ? { cwd: folder } : {});
    const options = { archived, limit: json ? MAX_AS_JSON : MAX_SHOWN + 1 };
    const folders = here ? [folder, ...places.map(({ workspace }) => workspace)] : [undefined];
    const [lists, colors] = await Promise.all([
      Promise.all(folders.map((workspace) => api.session.list.query({ ...options, ...omitUndefined({ workspace }) }))),
      fetchModeColors(api),
    ]);
    const rows = lists.flat().toSorted((a, b) => b.updatedAt - a.updatedAt);
    if (json) return printJson(rows);
    const names = new Map(places.map(({ workspace, name, source }) => [workspace, { name, source }]));
    printLines(sessionLines(rows, terminalStyle(process.stdout, colors), MAX_SHOWN, names));
  });
}

const MAX_SHOWN = 500;
const MAX_AS_JSON = 10_000;
