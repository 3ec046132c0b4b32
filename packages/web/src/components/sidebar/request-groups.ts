import type { InboxItem } from "@baton/core/protocol/request";
import { isApproval } from "../request/request-titles.ts";

/** Open requests that ask for the same action, oldest first. Most groups have one request. */
export type AlikeRequests = { key: string; items: readonly [InboxItem, ...InboxItem[]] };

/** Groups approvals that show the same action with the same choices. The place of a group is that of its oldest request. */
export function groupAlike(items: readonly InboxItem[]): AlikeRequests[] {
  const groups = new Map<string, [InboxItem, ...InboxItem[]]>();
  for (const item of items) {
    const key = isApproval(item) ? JSON.stringify([item.tool, item.text, viewKey(item), item.choices.map(({ id }) => id)]) : item.id;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups].map(([key, of]) => ({ key, items: of }));
}

/** The same command in two folders is alike; the folder of each is shown. */
function viewKey({ view }: InboxItem): unknown {
  if (view?.type !== "command") return view;
  const { cwd: _, ...command } = view;
  return command;
}
