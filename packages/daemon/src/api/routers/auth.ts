import * as z from "zod";
import type { ApiContext } from "../api-context.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwRefusal, router } from "../trpc.ts";

export const ProviderName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "a provider is a word");

/** `search`: it is a service for web searches, not a provider of models. */
function checkProvider(
  provider: string,
  { models: { registry: catalog, searchServices } }: ApiContext,
): { provider: string; search: boolean } {
  if (searchServices.includes(provider)) return { provider, search: true };
  const problem = catalog.faultOfProvider(provider);
  return problem === undefined ? { provider, search: false } : throwRefusal("provider_not_found", problem);
}

/** Keys of providers and of services for web searches. They are write-only. */
export const auth = router({
  /** The providers that have a key, and where it is stored. Never the key itself. */
  list: authedProcedure.query(({ ctx }) => ctx.models.keys.known()),

  /** The providers that Baton knows by name. A local one needs no key. */
  providers: authedProcedure.query(({ ctx }) => ctx.models.providers),

  /** Refuses unknown providers and services, so that the user does not type a key for one. */
  provider: authedProcedure.input(z.object({ provider: z.string() })).query(({ ctx, input: { provider } }) => checkProvider(provider, ctx)),

  /** Stores a key for a provider. It replaces an earlier one. */
  login: commandProcedure
    .input(z.object({ provider: ProviderName, key: z.string().trim().min(1).max(4_096) }))
    .mutation(({ ctx, input: { provider, key } }) => ctx.models.keys.set(checkProvider(provider, ctx).provider, key)),

  /** Deletes the stored key of a provider. */
  logout: commandProcedure.input(z.object({ provider: ProviderName })).mutation(
    idempotent(async ({ ctx, input: { provider } }) => {
      if (!(await ctx.models.keys.remove(provider)))
        return throwRefusal("key_not_found", `Baton stores no key for ${provider}. \`baton auth list\` shows where keys are.`);
      return { provider };
    }),
  ),
});
