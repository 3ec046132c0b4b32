import * as z from "zod";

/**
 * Facts about the machine at the start of a session. They are recorded once, so that the system prompt stays the same. `date`: the local date,
 * as in 2026-11-24. `git`: absent outside of git and in folders without trust. `branch`: null for a detached head. `changed`: there were
 * uncommitted changes.
 */
export const EnvironmentContext = z.object({
  date: z.string(),
  git: z.object({ branch: z.string().nullable(), changed: z.boolean() }).optional(),
});
export type EnvironmentContext = z.infer<typeof EnvironmentContext>;
