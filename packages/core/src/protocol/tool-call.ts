import * as z from "zod";
import { CallId, SessionId } from "./ids.ts";
import { AttachmentRef } from "./attachment-ref.ts";
import { MAX_IMAGES } from "./image-limits.ts";
import { CallLabel, View } from "./tool-view.ts";

/** A tool call of the model. If its arguments were not valid JSON, `raw` holds their text and `input` is absent. */
export const ToolCall = z.object({
  id: CallId,
  tool: z.string(),
  input: z.unknown().optional(),
  raw: z.string().optional(),
  /** The provider's own id. Only the provider sees it, because local servers use ids twice. */
  providerId: z.string(),
  label: CallLabel,
});
export type ToolCall = z.infer<typeof ToolCall>;

/** The setting that a check comes from: its command as written there, and whose config names it. */
export const CheckOrigin = z.object({ command: z.string(), layer: z.enum(["user", "project"]) });
export type CheckOrigin = z.infer<typeof CheckOrigin>;

export const ToolOutcome = z.enum(["ok", "failed", "denied", "interrupted", "unknown"]);
export type ToolOutcome = z.infer<typeof ToolOutcome>;

export const ChildStatus = z.enum(["completed", "failed", "cancelled", "limit", "blocked", "denied"]);
export type ChildStatus = z.infer<typeof ChildStatus>;

/** The result of a delegated task. `cost` is in US dollars. */
export const ChildFacts = z.object({
  childId: SessionId,
  mode: z.string(),
  status: ChildStatus,
  steps: z.number(),
  cost: z.number(),
  priority: z.enum(["low", "medium", "high", "urgent"]).optional(),
  tookMs: z.number().optional(),
  estimatedMinutes: z.number().optional(),
});
export type ChildFacts = z.infer<typeof ChildFacts>;

/** The result of a call. `text` is for the model, `view` and `end` for the screen, `images` for both. `ends`: the call ends the turn. */
export const ToolResult = z.object({
  outcome: ToolOutcome,
  text: z.string(),
  images: z.array(AttachmentRef).max(MAX_IMAGES).optional(),
  view: View.optional(),
  end: z.string().optional(),
  ends: z.enum(["completed", "blocked"]).optional(),
  child: ChildFacts.optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** The new errors that an edit caused. `text` is for the model, `view` for the screen. */
export const CallDiagnostics = z.object({ callId: CallId, text: z.string(), view: View });
export type CallDiagnostics = z.infer<typeof CallDiagnostics>;

export const Todo = z.object({ text: z.string().min(1), state: z.enum(["open", "doing", "done"]) });
export type Todo = z.infer<typeof Todo>;

/**
 * Tokens and cost in US dollars. `input` includes tokens that were read from or written to the provider's cache; `output` includes
 * reasoning. `unpriced`: the price of a part is unknown. `estimated`: the number of tokens that Baton estimated, because a reply was
 * interrupted.
 */
export const TokenUsage = z.object({
  input: z.number(),
  cachedInput: z.number(),
  cacheWrite: z.number().optional(),
  output: z.number(),
  reasoning: z.number().optional(),
  cost: z.number(),
  unpriced: z.literal(true).optional(),
  estimated: z.number().optional(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/**
 * A part of a reply, in order: a number of characters of its text or reasoning, or one of its calls. `meta` holds values that the
 * provider wants back unchanged, such as a signature.
 */
export const ModelReplyPart = z.object({
  kind: z.enum(["text", "reasoning", "call"]),
  length: z.number().int().nonnegative().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type ModelReplyPart = z.infer<typeof ModelReplyPart>;
