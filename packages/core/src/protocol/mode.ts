import * as z from "zod";
import { Rule } from "./rule.ts";

export const ModeSlug = z.string().regex(/^[a-zA-Z0-9-]{1,64}$/, "a mode slug is made of letters, digits and dashes");
export type ModeSlug = z.infer<typeof ModeSlug>;

export const GroupName = z.enum(["read", "edit", "browser", "command", "mcp", "coordinator", "orchestrate", "plan", "configuration"]);
export type GroupName = z.infer<typeof GroupName>;

/** A group of tools, whole, or limited to some resources (wildcards on paths for `edit`, `reading` for `command`) or tools. */
export const Group = z.union([
  GroupName,
  z.object({
    name: GroupName,
    only: z.array(z.string()).optional(),
    reading: z.boolean().optional(),
    tools: z.array(z.string()).optional(),
  }),
]);
export type Group = z.infer<typeof Group>;

/** A role, the same shape for built-in modes and modes from files. */
export const Mode = z.object({
  slug: ModeSlug,
  name: z.string().min(1),
  description: z.string(),
  whenToUse: z.string(),
  roleDefinition: z.string().min(1),
  customInstructions: z.string(),
  groups: z.array(Group),
  model: z.string().optional(),
  /** The mode's own rules: its allows and asks are the layer above the defaults, its denies are a ceiling. */
  permissions: z.array(Rule).optional(),
  icon: z.string(),
  hue: z.enum(["indigo", "blue", "cyan", "pink", "violet", "olive", "green", "teal", "slate"]),
});
export type Mode = z.infer<typeof Mode>;

/** How a change of mode came about. */
export const TransitionOrigin = z.enum([
  "user",
  "switch_mode",
  "coordination",
  "enter_plan",
  "exit_plan",
  "configuration",
  "equip",
  "delegate",
  "restore",
]);
export type TransitionOrigin = z.infer<typeof TransitionOrigin>;
