import path from "node:path";
import * as z from "zod";
import { runOnce } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwRefusal, router, throwIfRefused } from "../trpc.ts";

const Scope = z.enum(["global", "project"]);
const Definition = z.record(z.string(), z.unknown());
const File = z.object({
  path: z.string().refine((file) => path.isAbsolute(file), "must be absolute"),
  text: z.string().max(1_000_000).optional(),
});
const Here = z.object({ cwd: z.string() });
const There = Here.extend({ scope: Scope });
const Somewhere = There.extend({ scope: Scope.optional(), slug: z.string() });

/** Modes: their list, their sources, the problems of their files, and editing them. */
export const mode = router({
  /** The modes of a folder, and the problems of their files. */
  list: authedProcedure.input(Here).query(async ({ ctx, input: { cwd } }) => ctx.modes.registry.listed(await ctx.loadWorkspace(cwd))),

  /** One mode with all fields, and its problems. */
  show: authedProcedure.input(Here.extend({ slug: z.string() })).query(async ({ ctx, input: { cwd, slug } }) => {
    const { modes, diagnostics } = ctx.modes.registry.listed(await ctx.loadWorkspace(cwd));
    const found = modes.find((each) => each.slug === slug);
    if (!found)
      return throwRefusal("mode_not_found", `There is no mode ${slug}. The modes are: ${modes.map((each) => each.slug).join(", ")}.`);
    return { mode: found, diagnostics: diagnostics.filter((each) => each.slug === slug) };
  }),

  /** Reads files as they would be read at their location. Changes nothing. */
  validate: authedProcedure.input(Here.extend({ files: z.array(File).max(100) })).query(async ({ ctx, input: { cwd, files } }) => {
    const folder = await ctx.loadWorkspace(cwd);
    return ctx.modes.validate(folder, files);
  }),

  /** Creates a mode in a file of the user or of the folder. */
  create: commandProcedure
    .input(There.extend({ definition: Definition }))
    .mutation(async ({ ctx, input: { cwd, scope, definition } }) =>
      throwIfRefused(await runOnce(ctx, async () => ctx.modes.editor.create({ cwd: await ctx.loadWorkspace(cwd), scope }, definition))),
    ),

  /** Changes fields of a mode. */
  update: commandProcedure
    .input(Somewhere.extend({ change: Definition }))
    .mutation(async ({ ctx, input: { cwd, scope, slug, change } }) =>
      throwIfRefused(await runOnce(ctx, async () => ctx.modes.editor.update({ cwd: await ctx.loadWorkspace(cwd), scope }, slug, change))),
    ),

  /** Deletes the definition of a mode. */
  delete: commandProcedure
    .input(Somewhere)
    .mutation(async ({ ctx, input: { cwd, scope, slug } }) =>
      throwIfRefused(await runOnce(ctx, async () => ctx.modes.editor.delete({ cwd: await ctx.loadWorkspace(cwd), scope }, slug))),
    ),

  /** Removes what overrides a built-in mode. */
  restore: commandProcedure
    .input(Somewhere)
    .mutation(async ({ ctx, input: { cwd, scope, slug } }) =>
      throwIfRefused(await runOnce(ctx, async () => ctx.modes.editor.restore({ cwd: await ctx.loadWorkspace(cwd), scope }, slug))),
    ),

  /** Creates modes from files of any format. */
  import: commandProcedure
    .input(There.extend({ files: z.array(File).max(100), overwrite: z.boolean().default(false) }))
    .mutation(async ({ ctx, input: { cwd, scope, files, overwrite } }) =>
      throwIfRefused(
        await runOnce(ctx, async () => ctx.modes.editor.import({ cwd: await ctx.loadWorkspace(cwd), scope }, files, overwrite)),
      ),
    ),

  /** Converts a mode to a format, and lists what it cannot convert. */
  export: authedProcedure
    .input(Here.extend({ slug: z.string(), format: z.enum(["own", "roo", "kilocodemodes", "claude", "opencode"]) }))
    .query(async ({ ctx, input: { cwd, slug, format } }) =>
      throwIfRefused(await ctx.modes.editor.export(await ctx.loadWorkspace(cwd), slug, format)),
    ),
});
