import type { SessionId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import type { Sessions } from "../session/sessions.ts";

/**
 * A request with where it stands. `rootSessionId` is the session that a person began; `window` the open window of an
 * editor that brings it up, as such windows are told.
 */
export type InboxItem = Request & {
  sessionId: SessionId;
  rootSessionId: SessionId;
  mode: string;
  workspace: string;
  title: string;
  window?: string | undefined;
};

/** The same, after a look at what is left of what was asked about. */
export async function inboxNow(sessions: Sessions): Promise<InboxItem[]> {
  await sessions.withdraw();
  return inbox(sessions);
}

/** Every open request of every session, oldest first. */
export async function inbox({ lists }: Sessions): Promise<InboxItem[]> {
  const requests = await lists.requests();
  return Promise.all(
    requests.map(async ({ sessionId, request }) => {
      const row = await lists.session(sessionId);
      const rootSessionId = (sessionId.split(".", 1)[0] ?? sessionId) as SessionId; // a child's id begins with its root's
      return { ...request, sessionId, rootSessionId, mode: row?.mode ?? "", workspace: row?.workspace ?? "", title: row?.title ?? "" };
    }),
  );
}
