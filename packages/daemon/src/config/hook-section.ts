import { HookEvent, HookOnFailure } from "@baton/core/protocol/hook";
import * as z from "zod";

/** The longest time of a hook. */
export const MAX_SECONDS = 3_600;

const Seconds = z.number().positive().max(MAX_SECONDS);
const common = {
  timeout: Seconds.optional(),
  if: z.string().optional(),
  async: z.boolean().optional(),
  once: z.boolean().optional(),
  onFailure: HookOnFailure.optional(),
  statusMessage: z.string().optional(),
};

/** One hook in the format of Claude Code. `onFailure` is `block`, `pass` or `ask`. */
export const HookEntry = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("command"), command: z.string().min(1), args: z.array(z.string()).optional(), ...common }),
  z.strictObject({
    type: z.literal("http"),
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).optional(),
    allowedEnvVars: z.array(z.string()).optional(),
    ...common,
  }),
]);
export type HookEntry = z.infer<typeof HookEntry>;

const HookGroup = z.strictObject({ matcher: z.string().optional(), hooks: z.array(HookEntry) });

/** The agents whose own files of hooks Baton reads, if the user says so. */
const HookSources = z.array(z.enum(["claude", "codex"]));

/** The section `hooks` of config.jsonc. `managedOnly`: only hooks of the managed config run. */
export const HookSection = z.strictObject({
  from: HookSources.optional(),
  managedOnly: z.boolean().optional(),
  ...(Object.fromEntries(HookEvent.options.map((event) => [event, z.array(HookGroup).optional()])) as Record<
    HookEvent,
    z.ZodOptional<z.ZodArray<typeof HookGroup>>
  >),
});
