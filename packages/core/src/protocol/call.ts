import * as z from "zod";
import { CallId, SessionId } from "./ids.ts";
import { KeptImage } from "./image.ts";
import { MAX_IMAGES } from "./image-limits.ts";
import { Label, View } from "./view.ts";

/** A tool call as the model asked for it. `input` is absent when its text was no JSON; then `raw` holds the text. */
export const ToolCall = z.object({
  id: CallId,
  tool: z.string(),
  input: z.unknown().optional(),
  raw: z.string().optional(),
  /** The provider's own id, used towards it only: local servers reuse theirs. */
  providerId: z.string(),
  label: Label,
});
export type ToolCall = z.infer<typeof ToolCall>;

export const Outcome = z.enum(["ok", "failed", "denied", "interrupted", "unknown"]);
export type Outcome = z.infer<typeof Outcome>;

export const ChildStatus = z.enum(["completed", "failed", "cancelled", "limit", "blocked", "denied"]);
export type ChildStatus = z.infer<typeof ChildStatus>;

/** What became of a delegated task; `cost` is in US dollars. */
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

/** What came of a call. `text` is for the model, `view` and `end` are for the screen, `images` for both; `ends` finishes the turn that way. */
export const Result = z.object({
  outcome: Outcome,
  text: z.string(),
  images: z.array(KeptImage).max(MAX_IMAGES).optional(),
  view: View.optional(),
  end: z.string().optional(),
  ends: z.enum(["completed", "blocked"]).optional(),
  child: ChildFacts.optional(),
});
export type Result = z.infer<typeof Result>;

export const Todo = z.object({ text: z.string().min(1), state: z.enum(["open", "doing", "done"]) });
export type Todo = z.infer<typeof Todo>;

/**
 * Tokens and money (US dollars). `input` counts all input tokens, those read from and written to the provider's cache
 * included; `output` all output tokens, those of reasoning included. `unpriced`: for a part of it nobody knows the price.
 * `estimated`: so many of its tokens nobody counted, because an answer did not come to its end.
 */
export const Usage = z.object({
  input: z.number(),
  cachedInput: z.number(),
  cacheWrite: z.number().optional(),
  output: z.number(),
  reasoning: z.number().optional(),
  cost: z.number(),
  unpriced: z.literal(true).optional(),
  estimated: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * A part of a reply in the order it came: so many characters of its text or its reasoning, or one of its calls; with what
 * its provider wants back unchanged, such as a signature.
 */
export const ReplyPart = z.object({
  kind: z.enum(["text", "reasoning", "call"]),
  length: z.number().int().nonnegative().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type ReplyPart = z.infer<typeof ReplyPart>;
