import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ReplyPart } from "@baton/core/protocol/call";
import { ModelError, type ModelCall, type ModelPart } from "./model-port.ts";

/** A reply as it has come so far. */
export type AccumulatedReply = {
  text: string;
  reasoning: string;
  calls: ModelCall[];
  /** In the order they came; adjacent pieces under one id are one part. */
  parts: (ReplyPart & { id: string })[];
  /** Calls that have begun, in their order. */
  begun: { id: string; tool: string }[];
  /** How many characters have come in all. */
  length: number;
  usage?: LanguageModelV4Usage;
  finish?: LanguageModelV4FinishReason;
};

export const emptyReply = (): AccumulatedReply => ({ text: "", reasoning: "", calls: [], parts: [], begun: [], length: 0 });

/** Adds what has just come. Throws what the provider says went wrong. */
export function accumulate(reply: AccumulatedReply, part: LanguageModelV4StreamPart, onPart: (part: ModelPart) => void): void {
  switch (part.type) {
    case "text-start":
    case "text-end":
      return note(reply, "text", part.id, 0, part.providerMetadata);
    case "text-delta":
      grow(reply, part.delta);
      reply.text += part.delta;
      note(reply, "text", part.id, part.delta.length, part.providerMetadata);
      return part.delta === "" ? undefined : onPart({ type: "text", text: part.delta });
    case "reasoning-start":
    case "reasoning-end":
      return note(reply, "reasoning", part.id, 0, part.providerMetadata);
    case "reasoning-delta":
      grow(reply, part.delta);
      reply.reasoning += part.delta;
      note(reply, "reasoning", part.id, part.delta.length, part.providerMetadata);
      return part.delta === "" ? undefined : onPart({ type: "reasoning", text: part.delta });
    case "tool-input-start":
      reply.begun.push({ id: part.id, tool: part.toolName });
      return onPart({ type: "call", index: reply.begun.length - 1, tool: part.toolName, text: "" });
    case "tool-input-delta": {
      grow(reply, part.delta);
      const index = reply.begun.findLastIndex(({ id }) => id === part.id);
      const tool = reply.begun[index]?.tool;
      return tool === undefined ? undefined : onPart({ type: "call", index, tool, text: part.delta });
    }
    case "tool-call":
      if (part.providerExecuted) return;
      if (part.toolName.trim() === "") throw new ModelError("malformed", "The model called a tool without a name.");
      if (!reply.begun.some(({ id }) => id === part.toolCallId)) grow(reply, part.input);
      reply.calls.push({ providerId: part.toolCallId, tool: part.toolName, ...argumentsOf(part.input) });
      reply.parts.push({ kind: "call", id: part.toolCallId, ...(part.providerMetadata ? { meta: part.providerMetadata } : {}) });
      return;
    case "finish":
      reply.usage = part.usage;
      reply.finish = part.finishReason;
      return;
    case "error":
      throw part.error;
    case "tool-input-end":
    case "stream-start":
    case "response-metadata":
    case "ping":
    case "raw":
    case "source":
    case "file":
    case "reasoning-file":
    case "custom":
    case "tool-result":
    case "tool-approval-request":
      return;
  }
}

/** More than any model answers at once. */
const MAX_CHARACTERS = 4_000_000;

function grow(reply: AccumulatedReply, more: string): void {
  reply.length += more.length;
  if (reply.length > MAX_CHARACTERS) throw new ModelError("malformed", "The model's answer is longer than 4 MB, so it was not read on.");
}

/** A reply that did not say why it ended has been cut: nothing of it may be run. Gives the word for its end. */
export function finishReason({ finish }: AccumulatedReply): string {
  const whole = finish && finish.unified !== "interrupted" && finish.unified !== "error" && !(finish.unified === "other" && !finish.raw);
  if (!whole) throw new ModelError("cut", "The model's answer broke off before its end.");
  return finish.unified;
}

/** The order and the tokens of a reply, where a provider that reads it again needs them. */
export function replyParts({ parts }: AccumulatedReply): ReplyPart[] | undefined {
  const order = parts.map(({ kind }) => kind).join(" ");
  const plain = /^(reasoning ?)?(text ?)?(call ?)*$/.test(order) && parts.every(({ meta }) => meta === undefined);
  return plain ? undefined : parts.map(({ id: _, ...part }) => part);
}

/** Some providers use an id again for a new piece; what belongs together stands together. */
function note(reply: AccumulatedReply, kind: "text" | "reasoning", id: string, length: number, meta: ReplyPart["meta"]): void {
  const last = reply.parts.at(-1);
  const same = last?.kind === kind && last.id === id ? last : undefined;
  const known = same ?? (length === 0 ? reply.parts.findLast((part) => part.kind === kind && part.id === id) : undefined);
  const part = known ?? { kind, id, length: 0 };
  if (!known) reply.parts.push(part);
  part.length = (part.length ?? 0) + length;
  if (meta) part.meta = merged(part.meta, meta);
}

/** By provider, the newest value of each field. */
function merged(before: ReplyPart["meta"], now: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...before };
  for (const [provider, fields] of Object.entries(now)) all[provider] = { ...fieldsOf(all[provider]), ...fieldsOf(fields) };
  return all;
}

const fieldsOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

/** Arguments are an object or they are nothing: text that is no JSON, `null`, lists and bare values are kept as they came. */
function argumentsOf(text: string): { input: unknown } | { raw: string } {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? { input } : { raw: text };
  } catch {
    return { raw: text }; // the call is answered with what is wrong with it
  }
}
