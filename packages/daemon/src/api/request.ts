import { CommandId, RequestId } from "@baton/core/protocol/ids";
import { Answer } from "@baton/core/protocol/request";
import * as z from "zod";
import { inBackground } from "../session/in-background.ts";
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
    const look = () => {
      inBackground(ctx.sessions.withdraw(), ctx.parts.report); // what it takes back is a change, so that is looked at too
      return inbox(ctx.sessions);
    };
    yield* current(ctx.sessions.changes.inbox, look, {
      socket: ctx.socket,
      clock: ctx.parts.clock,
      signal,
      restMs: 0,
    });
  }),
});
