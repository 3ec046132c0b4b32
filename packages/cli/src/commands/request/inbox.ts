import { inboxLines } from "../../render/lists/inbox.ts";
import { saveInboxNumbers } from "./inbox-numbers.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Lists the open requests of all sessions, oldest first. */
export async function inbox({ json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const [items, colors] = await Promise.all([api.request.list.query(), fetchModeColors(api)]);
    if (json) return printJson(items);
    saveInboxNumbers(items.map(({ id }) => id));
    printLines(inboxLines(items, terminalStyle(process.stdout, colors)));
    if (items.length > 0)
      printLines([
        "",
        "Answer with `baton answer REQUEST CHOICE` (a number, an id or the start of one), or open the session with `baton attach`.",
      ]);
  });
}
