import type { SessionId } from "@baton/core/protocol/ids";
import type { InboxItem } from "@baton/core/protocol/request";
import type { Sessions } from "../../session/sessions.ts";

/** Every open request of every session, oldest first, without requests whose subject no longer exists. */
export async function listInbox(sessions: Sessions): Promise<InboxItem[]> {
  await sessions.withdraw();
  return inbox(sessions);
}

/** Every open request of every session, oldest first. */
export async function inbox({ lists }: Sessions): Promise<InboxItem[]> {
  const requests = await lists.requests();
  return Promise.all(
    requests.map(async ({ sessionId, request }) => {
      const row = await lists.session(sessionId);
      const rootSessionId = (sessionId.split(".", 1)[0] ?? sessionId) as SessionId; // the id of a child begins with that of its root
      return { ...request, sessionId, rootSessionId, mode: row?.mode ?? "", workspace: row?.workspace ?? "", title: row?.title ?? "" };
    }),
  );
}
