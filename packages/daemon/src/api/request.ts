import { CommandId, RequestId } from "@baton/core/protocol/ids";
import { Answer } from "@baton/core/protocol/request";
import * as z from "zod";
import { current } from "./current.ts";
import { inbox, inboxNow } from "./inbox.ts";
import { authed, router, settled } from "./trpc.ts";

/** Requests: all that waits for a person, and the one way to answer it. */
export const request = router({
  list: authed.query(({ ctx }) => inboxNow(ctx.sessions)),

  answer: authed
    .input(z.object({ commandId: CommandId, requestId: RequestId, answer: Answer }))
    .mutation(async ({ ctx, input: { commandId, requestId, answer } }) => {
      const session = settled(await ctx.sessions.holding(requestId));
      return settled(await session.handle({ type: "answer", requestId, answer, by: ctx.actor }, commandId));
    }),

  /** The inbox, whole, at first and after every change. */
  follow: authed.input(z.object({ lastEventId: z.string().nullish() })).subscription(async function* ({
    ctx,
    signal = new AbortController().signal,
  }) {
    await ctx.sessions.withdraw();
    yield* current(ctx.sessions.changes.inbox, () => inbox(ctx.sessions), {
      socket: ctx.socket,
      clock: ctx.parts.clock,
      signal,
      restMs: 0,
    });
  }),
});
