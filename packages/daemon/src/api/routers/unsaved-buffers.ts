import { EventEmitter, on } from "node:events";
import * as z from "zod";
import type { BufferWrite } from "../../system/files/editor-buffers.ts";
import { authedProcedure, router } from "../trpc.ts";

/** In characters. A frame has at most 1 MB, and a character can take six bytes in it. */
const MAX_PER_PIECE = 150_000;

/**
 * The messages to an editor that follows: first the name under which it reports its texts, then which of them were written to
 * disk.
 */
type BufferUpdate = { kind: "held"; holder: string } | ({ kind: "written" } & BufferWrite);

/** Unsaved texts of editors. They are kept while their editor follows, and forgotten with its connection. */
export const buffer = router({
  /** Yields the name under which the editor reports its texts, and then which of them were written to disk. */
  follow: authedProcedure.subscription(async function* ({ ctx, signal = new AbortController().signal }): AsyncGenerator<BufferUpdate> {
    const writes = new EventEmitter<{ written: [BufferWrite] }>();
    const news = on(writes, "written", { signal });
    const holder = ctx.editor.buffers.hold("person" in ctx.actor ? ctx.actor.person : "a client", (written) =>
      writes.emit("written", written),
    );
    try {
      yield { kind: "held", holder };
      for await (const [written] of news) yield { kind: "written", ...(written as BufferWrite) }; // `on` does not know the types of its events
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      ctx.editor.buffers.release(holder);
    }
  }),

  /** A piece of an unsaved text, whose path is absolute. With `last` the text is complete. */
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

  /** The text was saved or discarded. */
  drop: authedProcedure
    .input(z.object({ holder: z.string(), path: z.string() }))
    .mutation(({ ctx, input: { holder, path } }) => ctx.editor.buffers.drop(holder, path)),
});
