import * as z from "zod";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwIfRefused, router } from "../trpc.ts";
import { ProviderName } from "./auth.ts";

/** The user's config, as far as forms edit it. */
export const config = router({
  /** The settings that a form can edit: their JSON Schema, and their values in the config. */
  form: authedProcedure.query(async ({ ctx }) => {
    await ctx.config.refresh();
    return ctx.config.form();
  }),

  /** Sets a setting, or removes it with null. The rest of the config stays as it is written. */
  set: commandProcedure
    .input(z.object({ setting: z.tuple([z.string()], z.string()), value: z.json() }))
    .mutation(
      idempotent(async ({ ctx, input: { setting, value } }) => throwIfRefused(await ctx.config.changeSetting(setting, value ?? undefined))),
    ),

  /** Adds a model server of the user that needs no key. */
  addLocalProvider: commandProcedure
    .input(z.object({ name: ProviderName, baseUrl: z.url({ protocol: /^https?$/ }) }))
    .mutation(
      idempotent(async ({ ctx, input: { name, baseUrl } }) => throwIfRefused(await ctx.config.addLocalProvider({ name, baseUrl }))),
    ),
});
