import { RequestId } from "@baton/core/protocol/ids";
import { Answer } from "@baton/core/protocol/request";
import * as z from "zod";
import { runInBackground } from "../../session/run-in-background.ts";
import { watchValue } from "../watch-value.ts";
import { inbox, listInbox } from "./inbox.ts";
import { authedProcedure, commandProcedure, router, settled } from "../trpc.ts";

/** Requests: all that waits for a person, and the one way to answer it. */
export const request = router({
  list: authedProcedure.query(({ ctx }) => listInbox(ctx.sessions)),

  answer: commandProcedure
    .input(z.object({ requestId: RequestId, answer: Answer }))
    .mutation(async ({ ctx, input: { requestId, answer } }) => {
      const session = settled(await ctx.sessions.holding(requestId));
      return settled(await session.handle({ type: "answer", requestId, answer, by: ctx.actor }, ctx.commandId));
    }),

  /** The window of this connection wants to bring up the requests of a session. False when another open window does. */
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

  /** The inbox, whole, at first and after every change. A window of an editor names itself, and is open while it follows. */
  follow: authedProcedure
    .input(z.object({ window: z.string().max(100).optional(), lastEventId: z.string().nullish() }))
    .subscription(async function* ({ ctx, input: { window }, signal = new AbortController().signal }) {
      const { sessions, editor, socket } = ctx;
      const look = async () => {
        runInBackground(sessions.withdraw(), ctx.services.report); // what it takes back is a change, so that is looked at too
        const items = await inbox(sessions);
        return window === undefined ? items : items.map((item) => ({ ...item, window: editor.windows.of(item.rootSessionId) }));
      };
      const leave = window === undefined ? undefined : editor.windows.open(socket, window);
      try {
        yield* watchValue(sessions.changes.inbox, look, { socket, clock: ctx.services.clock, signal, restMs: 0 });
      } finally {
        leave?.();
        if (leave) sessions.changes.inbox.wake(); // its requests are those of the other windows now
      }
    }),
});
