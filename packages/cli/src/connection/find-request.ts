import { resolveById } from "./resolve-by-id.ts";
import { inboxIdByNumber } from "../commands/inbox-numbers.ts";
import type { InboxItem } from "@baton/core/protocol/inbox-item";
import type { Api } from "./daemon-connection.ts";

/** A request by its id, the beginning of it, or its number in the inbox; an id alone where it is not open, so that the daemon says what became of it. */
export async function findRequest(api: Api, named: string): Promise<InboxItem | { id: string }> {
  const open = await api.request.list.query();
  const wanted = /^\d{1,2}$/.test(named) ? inboxIdByNumber(Number(named)) : named;
  const isWhole = wanted.includes("-") && !open.some(({ id }) => id.startsWith(wanted));
  if (isWhole) return { id: wanted };
  return resolveById(wanted, open, { one: "request", where: "`baton inbox` lists the open ones." });
}
