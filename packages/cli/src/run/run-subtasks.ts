import { followInbox } from "@baton/core/client/follow-lists";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import type { RequestListener } from "./request-policy.ts";

/** What the sessions below one ask, told like its own: nobody else may be there to answer. Gives what ends it. */
export function watchSubtasks({ api }: DaemonConnection, sessionId: string, { opened, gone }: RequestListener): () => void {
  const open = new Set<string>();
  const following = followInbox(api, (items) => {
    const below = items.filter((item) => item.sessionId.startsWith(`${sessionId}.`));
    for (const id of open) {
      if (below.some((item) => item.id === id)) continue;
      open.delete(id);
      gone(id);
    }
    for (const { mode, ...request } of below) {
      if (open.has(request.id)) continue;
      open.add(request.id);
      opened(request, mode);
    }
  });
  return () => following.unsubscribe();
}
