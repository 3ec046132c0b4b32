import * as z from "zod";
import { Rule } from "./rule.ts";

export const MAX_SLUG = 50;
export const ModeSlug = z
  .string()
  .max(MAX_SLUG)
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/, "a mode slug consists of letters, digits and dashes, and begins with a letter or digit");
export type ModeSlug = z.infer<typeof ModeSlug>;

export const GroupName = z.enum(["read", "edit", "browser", "command", "mcp", "coordinator", "orchestrate", "plan", "configuration"]);
export type GroupName = z.infer<typeof GroupName>;

/**
 * A tool group with limits. `fileRegex` opens the group for matching files only, and `deny` excludes some of these. Paths are relative
 * to the workspace with `/` between their parts; files outside never match. `commandRegex` opens it for matching commands, and
 * `reading` for commands that only read. `tools` are the only tools of the group.
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

/** The model of a mode. `baseUrl`: the address of an OpenAI-compatible service. */
export const ModelChoice = z.strictObject({
  id: z.string().min(1),
  provider: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
});
export type ModelChoice = z.infer<typeof ModelChoice>;

export const ModeColor = z.enum(["indigo", "blue", "cyan", "pink", "violet", "olive", "green", "teal", "slate"]);
export type ModeColor = z.infer<typeof ModeColor>;

/** The users of a mode: the user, delegated sessions, or both. */
export const ModeKind = z.enum(["primary", "subagent", "all"]);

/** The permissions of a mode, without its texts. */
const limits = {
  groups: z.array(Group),
  /** Limits the groups further, by names of tools with wildcards. */
  tools: z.strictObject({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
  /** Regular expressions for files that tools may read and write. `disallowedFilePaths` wins. */
  allowedFilePaths: z.array(z.string()).optional(),
  disallowedFilePaths: z.array(z.string()).optional(),
  /** The mode's own rules. Its allows and asks are the layer above the defaults; its denies are a ceiling. */
  permissions: z.array(Rule).optional(),
  /** Permissions that the user's config gives back although the groups lack them. Never read from a mode file. */
  opened: z.array(Rule).optional(),
  /** The modes that it may delegate to and switch to: slugs with wildcards. All by default. */
  subagents: z.array(z.string()).optional(),
  switchTargets: z.array(z.string()).optional(),
};

export const ModeLimits = z.strictObject(limits);
export type ModeLimits = z.infer<typeof ModeLimits>;

/** The limits of another mode that a mode stays within, and those that the other mode stays within itself. `slug`: the other mode. */
export const OuterLimits = ModeLimits.extend({ slug: ModeSlug.optional(), within: ModeLimits.optional() });
export type OuterLimits = z.infer<typeof OuterLimits>;

/** A mode. Built-in modes and modes from files have the same shape. */
export const Mode = z.strictObject({
  slug: ModeSlug,
  name: z.string().trim().min(1).max(100),
  kind: ModeKind.optional(),
  description: z.string(),
  whenToUse: z.string(),
  roleDefinition: z.string().trim().min(1),
  customInstructions: z.string(),
  /** The last text of the system prompt. */
  systemPrompt: z.string().optional(),
  customRules: z.array(z.string()).optional(),
  ...limits,
  /** The limits of the mode that a project's definition overrides, or that coordination came from. Never read from a mode file. */
  within: OuterLimits.optional(),
  model: ModelChoice.optional(),
  maxSteps: z.number().int().positive().optional(),
  /** Values for `{{name}}` in the texts of the mode. Lists and tables are inserted as JSON. */
  variables: z.record(z.string(), z.json()).optional(),
  experimentalFeatures: z.record(z.string(), z.boolean()).optional(),
  icon: z.string(),
  hue: ModeColor,
  color: z.string().optional(),
  groupName: z.string().optional(),
  highlightRange: z.tuple([z.number(), z.number()]).optional(),
  argumentHint: z.string().optional(),
  hidden: z.boolean().optional(),
  /** Fields of other programs. Baton keeps them for exports. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
export type Mode = z.infer<typeof Mode>;

/** The cause of a mode change. */
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
