import { Rule } from "@baton/core/protocol/rule";
import { ModeSlug } from "@baton/core/protocol/mode";
import * as z from "zod";

const Provider = z.strictObject({
  kind: z.literal("openai-compatible"),
  baseUrl: z.url({ protocol: /^https?$/ }),
  apiKey: z.string().optional(),
  /** How long the provider may be silent, in milliseconds. */
  timeoutMs: z.number().int().positive().optional(),
  models: z
    .record(
      z.string(),
      z.strictObject({ contextWindow: z.number().int().positive().optional(), maxOutput: z.number().int().positive().optional() }),
    )
    .default({}),
});

/** The parts of config.jsonc. Each is checked by itself, so that one broken part does not take the others with it. */
export const parts = {
  model: z.string().regex(/^[^/]+\/.+$/, "a model is written as provider/model"),
  providers: z.record(z.string(), Provider),
  modes: z.record(z.string(), z.strictObject({ model: z.string().optional() })),
  permissions: z.union([z.array(Rule), z.record(z.string(), z.union([Rule.shape.effect, z.record(z.string(), Rule.shape.effect)]))]),
  defaultMode: ModeSlug,
  coordination: z.enum(["auto", "ask", "off"]),
  todoList: z.boolean(),
  disabledTools: z.array(z.string()),
  /** Above `maxParts` simple commands in one text a person is asked. */
  commands: z.strictObject({ maxParts: z.number().int().positive().optional() }),
  /** Commands run in a sandbox; where none works they are not run. */
  sandbox: z.enum(["on", "off"]),
  /** Variables of the daemon's environment that commands get besides the harmless ones. */
  passEnv: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a name of a variable")),
  network: z.enum(["on", "off"]),
  limits: z.strictObject({
    steps: z.number().int().positive().optional(),
    children: z.number().int().positive().optional(),
    /** US dollars a session may cost before it asks. */
    cost: z.number().positive().optional(),
    /** Minutes a turn may work before it asks. */
    minutes: z.number().positive().optional(),
  }),
} as const;

/** Every value is optional in the file; this is what holds where it is silent. */
export type Config = { [K in keyof typeof parts]?: z.infer<(typeof parts)[K]> };
