import type { ReplyPart, Usage } from "@baton/core/protocol/call";
import type { ModelFault } from "@baton/core/protocol/event";
import type { Message } from "@baton/core/session/context/messages";

/** A tool as the model is told of it; `schema` is JSON Schema. */
export type OfferedTool = { name: string; description: string; schema: Record<string, unknown> };

export type ModelRequest = {
  sessionId: string;
  step: number;
  system: string;
  messages: readonly Message[];
  /** Absent for a step of the work; else what else is wanted. */
  purpose?: "summary" | "title";
  tools: readonly OfferedTool[];
  /** How the mode wants its model to speak. */
  sampling?: { temperature?: number | undefined; topP?: number | undefined };
  /** What it will take, in tokens, where the provider has counted the conversation before. */
  expected?: { input: number; cachedInput: number } | undefined;
  /** What lies under a hash: the pictures of prompts. */
  readBlob: (hash: string) => Promise<Uint8Array | undefined>;
};

/** A call as the provider sent it: `input` when its text was JSON, else `raw`. Nothing has been judged. */
export type ModelCall = { providerId: string; tool: string; input?: unknown; raw?: string };

export type ModelReply = { text: string; reasoning?: string; parts?: ReplyPart[]; calls: ModelCall[]; usage: Usage; finish: string };

/**
 * What has just come: text, reasoning, or more of the arguments of the call that is the `index`th of the reply. `spending`
 * comes once, first: `soFar` tells what the reply has used by then, should it not come to its end; undefined while nothing came.
 */
export type ModelPart =
  | { type: "spending"; soFar: () => Usage | undefined }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "call"; index: number; tool: string; text: string };

/** Why a model did not answer. `retryAfterMs` is what the provider asked to wait. */
export type ModelFailure = { code: ModelFault; message: string; retryAfterMs?: number | undefined };

/** One call of a model. What goes wrong with it is a value; it rejects only with the signal's reason when aborted. */
export type Model = (
  request: ModelRequest,
  onPart: (part: ModelPart) => void,
  signal: AbortSignal,
) => Promise<ModelReply | { failed: ModelFailure }>;

/** A failure on its way through the code of a provider. */
export class ModelError extends Error {
  readonly failure: ModelFailure;
  constructor(code: ModelFault, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "ModelError";
    this.failure = { code, message, retryAfterMs: options.retryAfterMs };
  }
}
