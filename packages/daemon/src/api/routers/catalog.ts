import * as z from "zod";
import { authedProcedure, commandProcedure, throwRefusal, router } from "../trpc.ts";

/** The catalog of models: their prices and sizes. */
export const catalog = router({
  /** The catalog that the user loaded, or null for the one that ships with Baton. */
  status: authedProcedure.query(async ({ ctx }) => (await ctx.models.catalog.status()) ?? null),

  /** Loads a catalog in the form of models.dev's api.json from a file (an absolute path) or an address. A broken one changes nothing. */
  refresh: commandProcedure.input(z.object({ source: z.string().min(1).max(2_000) })).mutation(async ({ ctx, input: { source } }) => {
    const loaded = await ctx.models.catalog.refresh(source);
    return "problem" in loaded ? throwRefusal("catalog_invalid", loaded.problem) : loaded;
  }),

  /** Returns to the catalog that ships with Baton. */
  reset: commandProcedure.mutation(async ({ ctx }) => ({ reset: await ctx.models.catalog.reset() })),
});
