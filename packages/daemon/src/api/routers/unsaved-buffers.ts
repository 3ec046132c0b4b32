import { EventEmitter, on } from "node:events";
import * as z from "zod";
import type { Written } from "../../system/files/editor-buffers.ts";
import { authedProcedure, router } from "../trpc.ts";

/** Letters: a frame has at most 1 MB, and a letter can take six bytes in it. */
const MAX_PER_PIECE = 150_000;

/** What an editor is told while it follows: the name to tell its texts under, then which of them the disk has got. */
export type BufferUpdate = { kind: "held"; holder: string } | ({ kind: "written" } & Written);

/** Unsaved texts of editors. They are held for as long as their editor follows, and forgotten with its connection. */
export const buffer = router({
  follow: authedProcedure.subscription(async function* ({ ctx, signal = new AbortController().signal }): AsyncGenerator<BufferUpdate> {
    const told = new EventEmitter<{ written: [Written] }>();
    const news = on(told, "written", { signal });
    const holder = ctx.editor.buffers.hold("person" in ctx.actor ? ctx.actor.person : "a client", (written) =>
      told.emit("written", written),
    );
    try {
      yield { kind: "held", holder };
      for await (const [written] of news) yield { kind: "written", ...(written as Written) }; // `on` does not know what is emitted
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      ctx.editor.buffers.release(holder);
    }
  }),

  /** A piece of an unsaved text, whose path is absolute; with `last` it counts. */
  put: authedProcedure
    .input(
      z.object({
        holder: z.string(),
        path: z.string().min(1).max(4096),
        version: z.number().int(),
        from: z.number().int().nonnegative(),
        text: z.string().max(MAX_PER_PIECE),
        last: z.boolean(),
      }),
    )
    .mutation(({ ctx, input: { holder, ...piece } }) => ctx.editor.buffers.put(holder, piece)),

  /** The text was saved or given up. */
  drop: authedProcedure
    .input(z.object({ holder: z.string(), path: z.string() }))
    .mutation(({ ctx, input: { holder, path } }) => ctx.editor.buffers.drop(holder, path)),
});
