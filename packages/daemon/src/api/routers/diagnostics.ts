import { EventEmitter, on } from "node:events";
import * as z from "zod";
import type { EditorLook } from "../../language/checks/editor-diagnostics.ts";
import { authedProcedure, router } from "../trpc.ts";

/** The messages to an editor that offers its diagnostics: first the name under which it answers, then the questions. */
type DiagnosticsUpdate = { kind: "held"; holder: string } | ({ kind: "look" } & EditorLook);

const Path = z.string().min(1).max(4096);
const FileError = z.object({
  line: z.int().min(1),
  column: z.int().min(1),
  message: z.string().max(2_000),
  code: z.string().max(200).optional(),
  source: z.string().max(200).optional(),
});

/** Diagnostics of editors. They count while their editor follows. */
export const diagnostics = router({
  /**
   * Yields the name under which the editor answers, and then the files whose errors Baton needs. `folders`: the absolute paths of the folders
   * that the editor has open. `before`: an agent is about to change the first file, and waits for the answer.
   */
  follow: authedProcedure.input(z.object({ folders: z.array(Path).max(100) })).subscription(async function* ({
    ctx,
    input: { folders },
    signal = new AbortController().signal,
  }): AsyncGenerator<DiagnosticsUpdate> {
    const looks = new EventEmitter<{ look: [EditorLook] }>();
    const news = on(looks, "look", { signal });
    const holder = ctx.editor.diagnostics.hold(folders, (look) => looks.emit("look", look));
    try {
      yield { kind: "held", holder };
      for await (const [look] of news) yield { kind: "look", ...(look as EditorLook) }; // `on` does not know the types of its events
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      ctx.editor.diagnostics.release(holder);
    }
  }),

  /**
   * The errors of files for a question. The editor leaves out a file that it cannot judge, and may add files that use a changed one.
   * A second answer to the same question has the errors that came later.
   */
  put: authedProcedure
    .input(
      z.object({
        holder: z.string(),
        look: z.string(),
        files: z.array(z.object({ path: Path, errors: z.array(FileError).max(500) })).max(200),
      }),
    )
    .mutation(({ ctx, input: { holder, look, files } }) =>
      ctx.editor.diagnostics.answer(holder, look, new Map(files.map(({ path, errors }) => [path, errors]))),
    ),
});
