import type { ModelReplyPart, TokenUsage } from "@baton/core/protocol/tool-call";
import type { ModelFault } from "@baton/core/protocol/event";
import type { Message } from "@baton/core/session/context/build-messages";

/** A tool as the model sees it. `schema` is a JSON Schema. */
export type OfferedTool = { name: string; description: string; schema: Record<string, unknown> };

export type ModelRequest = {
  sessionId: string;
  step: number;
  system: string;
  messages: readonly Message[];
  /** Absent for a step of the work. */
  purpose?: "summary" | "title" | "commit";
  tools: readonly OfferedTool[];
  /** The sampling parameters of the mode. */
  sampling?: { temperature?: number | undefined; topP?: number | undefined };
  /** The expected input in tokens, if the provider has counted the conversation before. */
  expected?: { input: number; cachedInput: number } | undefined;
  /** Reads a blob by its hash: an attachment. */
  readBlob: (hash: string) => Promise<Uint8Array | undefined>;
};

/** A call as the provider sent it. `raw` instead of `input` if its arguments are not JSON. */
export type ModelCall = { providerId: string; tool: string; input?: unknown; raw?: string };

export type ModelReply = {
  text: string;
  reasoning?: string;
  parts?: ModelReplyPart[];
  calls: ModelCall[];
  usage: TokenUsage;
  finish: string;
};

/**
 * A piece of a reply: text, reasoning, or arguments of the reply's call number `index`. `spending` comes once and first: `soFar` returns the
 * usage of the reply at that moment, in case it is interrupted. It returns undefined while nothing has arrived.
 */
export type ModelPart =
  | { type: "spending"; soFar: () => TokenUsage | undefined }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "call"; index: number; tool: string; text: string };

/** Why a model call failed. `retryAfterMs`: the delay that the provider asks for. */
export type ModelFailure = { code: ModelFault; message: string; retryAfterMs?: number | undefined };

/** Calls a model once. Failures are values; it rejects only with the signal's reason. */
export type Model = (
  request: ModelRequest,
  onPart: (part: ModelPart) => void,
  signal: AbortSignal,
) => Promise<ModelReply | { failed: ModelFailure }>;

/** A failure inside the code of a provider. */
export class ModelError extends Error {
  readonly failure: ModelFailure;
  constructor(code: ModelFault, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "ModelError";
    this.failure = { code, message, retryAfterMs: options.retryAfterMs };
  }
}
