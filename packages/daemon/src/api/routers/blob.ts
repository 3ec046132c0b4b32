import * as z from "zod";
import { authedProcedure, throwRefusal, router } from "../trpc.ts";

/** A frame has at most 1 MB, and base64 turns three bytes into four. */
const MAX_PER_FRAME = 700_000;
const MAX_READ = 512 * 1024;

/** Large contents in pieces that fit a frame: images of prompts are uploaded, and whole outputs are downloaded. */
export const blob = router({
  /**
   * Adds a piece to an upload that the client has named. With `last` the upload is stored and its hash returned. At most 10 MB
   * in total.
   */
  add: authedProcedure
    .input(z.object({ upload: z.uuid(), base64: z.base64().max(MAX_PER_FRAME), last: z.boolean() }))
    .mutation(async ({ ctx, input: { upload, base64, last } }) => {
      const added = await ctx.uploads.add(upload, Buffer.from(base64, "base64"), last);
      return "refused" in added ? throwRefusal("blob_too_large", added.refused) : added;
    }),

  /** At most 512 KB from `start`. `more`: whether something follows. */
  read: authedProcedure
    .input(z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), start: z.number().int().nonnegative().default(0) }))
    .query(async ({ ctx, input: { hash, start } }) => {
      const bytes = await ctx.uploads.read(hash, { start, end: start + MAX_READ + 1 });
      if (!bytes) return throwRefusal("blob_not_found", "This content is no longer stored.");
      return { base64: Buffer.from(bytes.subarray(0, MAX_READ)).toString("base64"), more: bytes.length > MAX_READ };
    }),
});
