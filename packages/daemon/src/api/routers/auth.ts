import * as z from "zod";
import type { ApiContext } from "../api-context.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, refused, router } from "../trpc.ts";

const Provider = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "a provider is a word");

function known(provider: string, { models: { registry: catalog } }: ApiContext): { provider: string } {
  const fault = catalog.faultOfProvider(provider);
  return fault === undefined ? { provider } : refused("provider_not_found", fault);
}

/** Keys of providers. They come in, and never go out. */
export const auth = router({
  /** Which providers have a key, and where it is; never the key. */
  list: authedProcedure.query(({ ctx }) => ctx.models.keys.known()),

  /** Refuses what is no provider, so that nobody is asked for its key. */
  provider: authedProcedure.input(z.object({ provider: z.string() })).query(({ ctx, input: { provider } }) => known(provider, ctx)),

  login: commandProcedure
    .input(z.object({ provider: Provider, key: z.string().trim().min(1).max(4_096) }))
    .mutation(({ ctx, input: { provider, key } }) => ctx.models.keys.set(known(provider, ctx).provider, key)),

  logout: commandProcedure.input(z.object({ provider: Provider })).mutation(
    idempotent(async ({ ctx, input: { provider } }) => {
      if (!(await ctx.models.keys.remove(provider)))
        return refused("key_not_found", `Baton keeps no key for ${provider}. \`baton auth list\` says where keys are.`);
      return { provider };
    }),
  ),
});
