import * as z from "zod";

const Rates = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative().optional(),
  cache_write: z.number().nonnegative().optional(),
});

/** A model in the format of models.dev: prices in US dollars per million tokens, limits in tokens. */
export const ModelEntry = z.object({
  name: z.string().optional(),
  tool_call: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  /** The provider wants the text of the model's reasoning back. */
  interleaved: z.union([z.literal(true), z.object({ field: z.string() })]).optional(),
  modalities: z.object({ input: z.array(z.string()), output: z.array(z.string()).optional() }).optional(),
  /** `tiers`: the prices of a whole request whose input is larger than `size`. */
  cost: Rates.extend({ tiers: z.array(Rates.extend({ tier: z.object({ size: z.number().positive() }) })).optional() }).optional(),
  limit: z
    .object({
      context: z.number().int().positive().optional(),
      input: z.number().int().positive().optional(),
      output: z.number().int().positive().optional(),
    })
    .optional(),
});
export type ModelEntry = z.infer<typeof ModelEntry>;

/** The reasoning effort, in the terms that providers share. */
export const Effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
export type Effort = z.infer<typeof Effort>;
