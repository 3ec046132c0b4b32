import { realpathSync } from "node:fs";
import path from "node:path";
import { omitUndefined } from "@baton/core/text/omit-undefined";
import { searchLines } from "../../render/lists/search.ts";
import { withConnection } from "../../connection/daemon-connection.ts";
import { fetchModeColors, printJson, printLines, terminalStyle } from "../output.ts";

export type SearchOptions = {
  here?: boolean;
  mode?: string;
  /** Epoch milliseconds. */
  since?: number;
  until?: number;
  file?: string;
  limit?: number;
  json?: boolean;
};

/** Searches the texts of all sessions. */
export async function search(query: string, { here = false, file, json = false, ...options }: SearchOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const [result, colors] = await Promise.all([
      api.session.search.query({
        query,
        ...options,
        ...omitUndefined({
          workspace: here ? realpathSync(process.cwd()) : undefined,
          file: file === undefined ? undefined : endOfPath(file),
        }),
      }),
      fetchModeColors(api),
    ]);
    if (json) printJson(result);
    else printLines(searchLines(result, terminalStyle(process.stdout, colors)));
  });
}

/** Sessions name files relative to their folder, so a full path below this folder is made relative. */
function endOfPath(file: string): string {
  const relative = path.relative(process.cwd(), path.resolve(file));
  return path.isAbsolute(file) && !relative.startsWith("..") && !path.isAbsolute(relative) ? relative : file;
}
