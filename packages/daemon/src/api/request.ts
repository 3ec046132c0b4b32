import { CommandId, RequestId } from "@baton/core/protocol/ids";
import { Answer } from "@baton/core/protocol/request";
import { tracked } from "@trpc/server";
import * as z from "zod";
import { inbox } from "./inbox.ts";
import { drained } from "./drained.ts";
import { authed, router, settled } from "./trpc.ts";

/** Requests: all that waits for a person, and the one way to answer it. */
export const request = router({
  list: authed.query(({ ctx }) => inbox(ctx.sessions)),

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
    const ended = new Promise<void>((end) => signal.addEventListener("abort", () => end(), { once: true }));
    for (let shown = ""; !signal.aborted;) {
      const changed = ctx.sessions.changed();
      const { version } = ctx.sessions;
      const open = await inbox(ctx.sessions);
      const ids = open.map(({ id }) => id).join(" ");
      if (ids !== shown || shown === "") yield tracked(String(version), open);
      shown = ids === "" ? " " : ids;
      await drained(ctx.socket, signal);
      await Promise.race([changed, ended]);
    }
  }),
});
