import { realpathSync } from "node:fs";
import { sessionLines } from "../render/sessions.ts";
import { huesFrom, lookNow, printJson, printLines } from "./output.ts";
import { withLink } from "./with-link.ts";

export type SessionsOptions = { json?: boolean; here?: boolean; archived?: boolean };

/** Lists sessions by workspace, the newest first. */
export async function sessions({ json = false, here = false, archived = false }: SessionsOptions): Promise<void> {
  await withLink(async ({ api }) => {
    const [rows, hues] = await Promise.all([
      api.session.list.query({ archived, ...(here ? { workspace: realpathSync(process.cwd()) } : {}) }),
      huesFrom(api),
    ]);
    if (json) printJson(rows);
    else printLines(sessionLines(rows, lookNow(process.stdout, hues)));
  });
}
