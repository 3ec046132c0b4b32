import * as z from "zod";

export const Effect = z.enum(["allow", "ask", "deny"]);
export type Effect = z.infer<typeof Effect>;

/**
 * A wildcard (`*` is any run of characters, `/` included; `?` is one character; a trailing ` *` also matches nothing), an exact text, or
 * a regular expression (RE2) that matches anywhere in the text.
 */
export const Resource = z.union([z.string(), z.strictObject({ exact: z.string() }), z.strictObject({ regex: z.string() })]);
export type Resource = z.infer<typeof Resource>;

export const Rule = z.object({ action: z.string().min(1), resource: Resource, effect: Effect });
export type Rule = z.infer<typeof Rule>;

/** From weak to strong. The layers from `project` on can only make a verdict stricter. */
export const Layer = z.enum(["defaults", "mode", "user", "workspace", "session", "project", "managed", "ceiling", "gate"]);
export type Layer = z.infer<typeof Layer>;

/** A rule with its source: `config.jsonc:14`, `built in`, `mode plan`, `grant of 2026-11-19`. */
export const SourcedRule = Rule.extend({
  layer: Layer,
  source: z.string(),
  /** `reads`: the rule does not apply to an access that is known to only read. */
  unless: z.literal("reads").optional(),
  /** An answer applies once. No remembered rule replaces it. */
  once: z.literal(true).optional(),
});
export type SourcedRule = z.infer<typeof SourcedRule>;

/** One resource that a call touches. Paths are relative to the workspace; a command is its whole text. */
export const Access = z.object({ action: z.string(), resource: z.string() });
export type Access = z.infer<typeof Access>;

export const AccessVerdict = Access.extend({ effect: Effect, rule: SourcedRule.nullable() });
export type AccessVerdict = z.infer<typeof AccessVerdict>;

/** The verdict on a call and the rule that decided it. `rule` is null if no rule matched; the call then asks. */
export const Verdict = z.object({
  effect: Effect,
  rule: SourcedRule.nullable(),
  accesses: z.array(AccessVerdict),
  why: z.string(),
  /** How hard a command is to understand, from 0 to 1. */
  complexity: z.number().min(0).max(1).optional(),
});
export type Verdict = z.infer<typeof Verdict>;

/** A rule that the user told Baton to remember. */
export const Grant = z.object({
  id: z.string(),
  rule: Rule,
  scope: z.enum(["session", "workspace", "user"]),
  mode: z.string(),
  givenAt: z.number(),
  requestId: z.string(),
});
export type Grant = z.infer<typeof Grant>;
