import * as z from "zod";
import { authedProcedure, refused, router } from "../trpc.ts";

/** A frame has at most 1 MB; base64 makes four bytes of three. */
const MAX_PER_FRAME = 700_000;
const MAX_READ = 512 * 1024;

/** Large contents, in pieces that fit a frame: pictures of prompts go in, whole outputs come out. */
export const blob = router({
  /** Adds a piece to an upload that the client named; with `last` it is kept, and its hash is given. At most 10 MB in all. */
  add: authedProcedure
    .input(z.object({ upload: z.uuid(), base64: z.base64().max(MAX_PER_FRAME), last: z.boolean() }))
    .mutation(async ({ ctx, input: { upload, base64, last } }) => {
      const added = await ctx.uploads.add(upload, Buffer.from(base64, "base64"), last);
      return "refused" in added ? refused("blob_too_large", added.refused) : added;
    }),

  /** At most 512 KB from `start`; `more` says whether something follows. */
  read: authedProcedure
    .input(z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), start: z.number().int().nonnegative().default(0) }))
    .query(async ({ ctx, input: { hash, start } }) => {
      const bytes = await ctx.uploads.read(hash, { start, end: start + MAX_READ + 1 });
      if (!bytes) return refused("blob_not_found", "This content is not kept here any more.");
      return { base64: Buffer.from(bytes.subarray(0, MAX_READ)).toString("base64"), more: bytes.length > MAX_READ };
    }),
});
