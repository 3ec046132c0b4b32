import * as z from "zod";
import { Layer } from "./rule.ts";

/**
 * The events at which hooks run. All but the last two have the names and the meaning of Claude Code. `PermissionRequest` runs only where
 * Baton would ask. `ModeChange` and `RequestOpened` are Baton's own.
 */
export const HookEvent = z.enum([
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
  "Notification",
  "ModeChange",
  "RequestOpened",
]);
export type HookEvent = z.infer<typeof HookEvent>;

/** The values that matchers of an event compare. Events that are missing here compare a tool, a mode or nothing. */
export const matcherValues: Partial<Record<HookEvent, readonly string[]>> = {
  SessionStart: ["startup"],
  SessionEnd: ["archive"],
  PreCompact: ["auto", "manual"],
  PostCompact: ["auto", "manual"],
  Notification: ["permission_prompt", "elicitation_dialog"],
  RequestOpened: ["approval", "question", "form"],
};

/** Events after a call. The model waits for their hooks, because it reads their words together with the result. */
export const isAfterCall = (event: HookEvent): boolean => event === "PostToolUse" || event === "PostToolUseFailure";

/** The effect of a hook whose outcome is unknown or that failed. `pass`: as if it had said nothing. */
export const HookOnFailure = z.enum(["ask", "block", "pass"]);
export type HookOnFailure = z.infer<typeof HookOnFailure>;

/** A hook as events and verdicts name it. `name`: the start of its command or its address. `hash` identifies what the user approved. */
export const HookRef = z.object({
  name: z.string(),
  /** The file and line where it is written. */
  source: z.string(),
  layer: Layer,
  hash: z.string(),
  onFailure: HookOnFailure,
});
export type HookRef = z.infer<typeof HookRef>;

/** One run of a hook. `about`: the call, prompt or compaction that it is for. */
export const HookRun = z.object({
  id: z.string(),
  event: HookEvent,
  about: z.string(),
  /** The key of the effect that waits for the run. */
  holds: z.string().optional(),
  /** Nothing waits for the run, and its answer has no effect. */
  async: z.literal(true).optional(),
  /** The hook runs once in the session. */
  once: z.literal(true).optional(),
  hook: HookRef,
  /** The part of the input that the state of the session does not have. */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type HookRun = z.infer<typeof HookRun>;

/**
 * The end of a run. `failed`: the hook broke its contract, such as a timeout. `error`: it ended with a code that means nothing, which passes.
 * `unknown`: the daemon stopped while it ran.
 */
export const HookOutcome = z.object({
  status: z.enum(["passed", "error", "failed", "unknown"]),
  decision: z.enum(["allow", "ask", "deny"]).optional(),
  /** The hook's reason, for the model and the user. */
  reason: z.string().optional(),
  /** The arguments that replace those of the call, and the label of the changed call. */
  input: z.record(z.string(), z.unknown()).optional(),
  label: z.object({ verb: z.string(), object: z.string() }).optional(),
  /** Text that the hook adds to the conversation. */
  context: z.string().optional(),
  /** A message for the user only. */
  message: z.string().optional(),
  /** The hook ends the turn. */
  stop: z.literal(true).optional(),
  /** Why the run failed, or the end of what it printed. */
  problem: z.string().optional(),
  tookMs: z.number(),
});
export type HookOutcome = z.infer<typeof HookOutcome>;

/** The end of a hook's run that is worth showing. `text`: one sentence for the user. */
export type HookReport = { name: string; source: string; isProblem: boolean; text: string };
