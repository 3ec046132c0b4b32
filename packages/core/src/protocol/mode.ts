import * as z from "zod";
import { Rule } from "./rule.ts";

export const MAX_SLUG = 50;
export const ModeSlug = z
  .string()
  .max(MAX_SLUG)
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/, "a mode slug is made of letters, digits and dashes, and begins with a letter or digit");
export type ModeSlug = z.infer<typeof ModeSlug>;

export const GroupName = z.enum(["read", "edit", "browser", "command", "mcp", "coordinator", "orchestrate", "plan", "configuration"]);
export type GroupName = z.infer<typeof GroupName>;

/**
 * A group of tools with limits: `fileRegex` opens it for matching files only and `deny` takes some of these out again
 * (paths relative to the workspace, `/` between their parts; nothing outside it); `commandRegex` the same for commands,
 * `reading` for what only reads; `tools` are the only ones of the group.
 */
export const LimitedGroup = z.strictObject({
  name: GroupName,
  fileRegex: z.string().optional(),
  deny: z.string().optional(),
  commandRegex: z.string().optional(),
  reading: z.boolean().optional(),
  tools: z.array(z.string()).optional(),
  description: z.string().optional(),
});
export type LimitedGroup = z.infer<typeof LimitedGroup>;

export const Group = z.union([GroupName, LimitedGroup]);
export type Group = z.infer<typeof Group>;

/** Which model a mode wants. `baseUrl` is the place of an OpenAI-compatible service. */
export const ModelChoice = z.strictObject({
  id: z.string().min(1),
  provider: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
});
export type ModelChoice = z.infer<typeof ModelChoice>;

export const Hue = z.enum(["indigo", "blue", "cyan", "pink", "violet", "olive", "green", "teal", "slate"]);
export type Hue = z.infer<typeof Hue>;

/** How a mode may be used: chosen by a person, worked in by children, or both. */
export const ModeKind = z.enum(["primary", "subagent", "all"]);

/** What a mode may do, without what it says. */
const limits = {
  groups: z.array(Group),
  /** Narrows the groups further, by names of tools with wildcards. */
  tools: z.strictObject({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
  /** Regular expressions for reading and writing; `disallowedFilePaths` wins. */
  allowedFilePaths: z.array(z.string()).optional(),
  disallowedFilePaths: z.array(z.string()).optional(),
  /** The mode's own rules: its allows and asks are the layer above the defaults, its denies are a ceiling. */
  permissions: z.array(Rule).optional(),
  /** What the person's config gives back of what the groups lack. Never read from a mode file. */
  opened: z.array(Rule).optional(),
  /** To which modes it may hand work, and switch: slugs with wildcards; all when not given. */
  subagents: z.array(z.string()).optional(),
  switchTargets: z.array(z.string()).optional(),
};

export const ModeLimits = z.strictObject(limits);
export type ModeLimits = z.infer<typeof ModeLimits>;

/** A role, the same shape for built-in modes and modes from files. */
export const Mode = z.strictObject({
  slug: ModeSlug,
  name: z.string().trim().min(1).max(100),
  kind: ModeKind.optional(),
  description: z.string(),
  whenToUse: z.string(),
  roleDefinition: z.string().trim().min(1),
  customInstructions: z.string(),
  /** What a model is told last of all. */
  systemPrompt: z.string().optional(),
  customRules: z.array(z.string()).optional(),
  ...limits,
  /** What a definition of a project stands in front of, and can only narrow. Never read from a mode file. */
  within: ModeLimits.optional(),
  model: ModelChoice.optional(),
  maxSteps: z.number().int().positive().optional(),
  /** Values for `{{name}}` in the texts of the mode. A list or a table stands there as JSON. */
  variables: z.record(z.string(), z.json()).optional(),
  experimentalFeatures: z.record(z.string(), z.boolean()).optional(),
  icon: z.string(),
  hue: Hue,
  color: z.string().optional(),
  groupName: z.string().optional(),
  highlightRange: z.tuple([z.number(), z.number()]).optional(),
  argumentHint: z.string().optional(),
  hidden: z.boolean().optional(),
  /** Fields that only other programs know, kept for the way back. */
  extra: z.record(z.string(), z.unknown()).optional(),
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
