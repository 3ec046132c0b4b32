import { describeIssues } from "@baton/core/client/invalid-input";
import * as z from "zod";
import type { Config } from "../../config/config-schema.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, orThrow, refused, router } from "../trpc.ts";

/**
 * The settings that a client may show and change. Keys, providers, servers, rules and the store have procedures of their own,
 * because they hold secrets or decide what an agent may do.
 */
const EDITABLE = [
  "model",
  "fallbackModels",
  "smallModel",
  "defaultMode",
  "coordination",
  "autoAnswer",
  "todoList",
  "disabledTools",
  "compaction",
  "retention",
  "retries",
  "limits",
  "sandbox",
  "network",
  "terminal",
] as const;

/** The user's settings in config.jsonc. */
export const settings = router({
  /** The file, the values that it sets, and the JSON Schema of each setting that can be changed. */
  list: authedProcedure.query(({ ctx }) => {
    const { config, file } = ctx.config.now();
    const { sections } = ctx.config;
    const values: Pick<Config, (typeof EDITABLE)[number]> = Object.fromEntries(
      EDITABLE.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])),
    );
    const schemas = Object.fromEntries(EDITABLE.map((key) => [key, z.toJSONSchema(sections[key], { io: "input" })]));
    return { file, values, schemas };
  }),

  /** Sets a setting, or removes it (null). Comments and everything else in the file stay as they are. */
  set: commandProcedure.input(z.object({ key: z.enum(EDITABLE), value: z.json() })).mutation(
    idempotent(async ({ ctx, input: { key, value } }): Promise<{ key: string }> => {
      if (value !== null) {
        const parsed = ctx.config.sections[key].safeParse(value);
        if (!parsed.success) return refused("setting_invalid", `"${key}" was not changed: ${describeIssues(parsed.error, value)}.`);
      }
      orThrow(await ctx.config.set(key, value ?? undefined));
      return { key };
    }),
  ),
});
