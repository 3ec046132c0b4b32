import { inboxLines } from "../render/inbox.ts";
import { keepNumbers } from "./inbox-numbers.ts";
import { huesFrom, lookNow, printJson, printLines } from "./output.ts";
import { withLink } from "../connection/with-connection.ts";

/** Lists every open request of every session, oldest first. */
export async function inbox({ json = false }: { json?: boolean }): Promise<void> {
  await withLink(async ({ api }) => {
    const [items, hues] = await Promise.all([api.request.list.query(), huesFrom(api)]);
    if (json) return printJson(items);
    keepNumbers(items.map(({ id }) => id));
    printLines(inboxLines(items, lookNow(process.stdout, hues)));
    if (items.length > 0)
      printLines(["", "Answer with `baton answer REQUEST CHOICE` (its number, id or beginning), or open the session with `baton attach`."]);
  });
}
