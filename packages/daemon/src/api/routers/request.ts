import { RequestId, type SessionId } from "@baton/core/protocol/ids";
import { RequestAnswer, type InboxItem } from "@baton/core/protocol/request";
import * as z from "zod";
import { runInBackground } from "../../session/run-in-background.ts";
import { watchValue } from "../watch-value.ts";
import { authedProcedure, commandProcedure, router, throwIfRefused } from "../trpc.ts";
import type { Sessions } from "../../session/sessions.ts";

/** Requests: everything that waits for the user, and the one way to answer it. */
export const request = router({
  /** Every open request of every session. */
  list: authedProcedure.query(({ ctx }) => listInbox(ctx.sessions)),

  /** Answers a request. The first valid answer wins, and it must carry the hash of what the client showed. */
  answer: commandProcedure
    .input(z.object({ requestId: RequestId, answer: RequestAnswer }))
    .mutation(async ({ ctx, input: { requestId, answer } }) => {
      const session = throwIfRefused(await ctx.sessions.holding(requestId));
      return throwIfRefused(await session.handle({ type: "answer", requestId, answer, by: ctx.actor }, ctx.commandId));
    }),

  /**
   * Asks for a session's requests to be shown in the window of this connection. False if another open window has the session.
   */
  adopt: authedProcedure.input(z.object({ rootSessionId: z.string() })).mutation(
    ({
      ctx: {
        editor: { windows },
        sessions,
        socket,
      },
      input,
    }) => {
      const adopted = windows.adopt(socket, input.rootSessionId);
      if (adopted) sessions.changes.inbox.wake();
      return { adopted };
    },
  ),

  /** The whole inbox, now and after every change. An editor window passes its id as `window`, and counts as open while it is subscribed. */
  follow: authedProcedure
    .input(z.object({ window: z.string().max(100).optional(), lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input: { window }, signal = new AbortController().signal }) {
      const { sessions, editor, socket } = ctx;
      const readInbox = async () => {
        runInBackground(sessions.withdraw(), ctx.services.report); // a withdrawal is a change, so the inbox is read again
        const items = await inbox(sessions);
        return window === undefined ? items : items.map((item) => ({ ...item, window: editor.windows.of(item.rootSessionId) }));
      };
      const leave = window === undefined ? undefined : editor.windows.open(socket, window);
      try {
        yield* watchValue(sessions.changes.inbox, readInbox, { socket, clock: ctx.services.clock, signal, restMs: 0 });
      } finally {
        leave?.();
        if (leave) sessions.changes.inbox.wake(); // its requests now belong to the other windows
      }
    }),
});

/** Every open request of every session, oldest first, without requests whose subject no longer exists. */
async function listInbox(sessions: Sessions): Promise<InboxItem[]> {
  await sessions.withdraw();
  return inbox(sessions);
}

/** Every open request of every session, oldest first. */
async function inbox({ lists }: Sessions): Promise<InboxItem[]> {
  const requests = await lists.requests();
  return Promise.all(
    requests.map(async ({ sessionId, request }) => {
      const row = await lists.session(sessionId);
      const rootSessionId = (sessionId.split(".", 1)[0] ?? sessionId) as SessionId; // the id of a child begins with that of its root
      return { ...request, sessionId, rootSessionId, mode: row?.mode ?? "", workspace: row?.workspace ?? "", title: row?.title ?? "" };
    }),
  );
}
