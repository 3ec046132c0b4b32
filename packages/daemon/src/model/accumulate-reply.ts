import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelReplyPart } from "@baton/core/protocol/tool-call";
import { isRecord, parseJson } from "@baton/core/text/json";
import { ModelError, type ModelCall, type ModelPart } from "./model-port.ts";

/** The reply so far. */
export type AccumulatedReply = {
  text: string;
  reasoning: string;
  calls: ModelCall[];
  /** In the order of arrival. Adjacent pieces with one id form one part. */
  parts: (ModelReplyPart & { id: string })[];
  /** The calls that have begun, in order. */
  begun: { id: string; tool: string }[];
  /** The number of characters so far. */
  length: number;
  usage?: LanguageModelV4Usage;
  finish?: LanguageModelV4FinishReason;
};

export const emptyReply = (): AccumulatedReply => ({ text: "", reasoning: "", calls: [], parts: [], begun: [], length: 0 });

/** Adds a part of the stream. Throws the provider's error. */
export function addReplyPart(reply: AccumulatedReply, part: LanguageModelV4StreamPart, onPart: (part: ModelPart) => void): void {
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
      reply.parts.push({ kind: "call", id: part.toolCallId, ...omitUndefined({ meta: part.providerMetadata }) });
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

/** No model answers with more at once. */
const MAX_CHARACTERS = 4_000_000;

function grow(reply: AccumulatedReply, more: string): void {
  reply.length += more.length;
  if (reply.length > MAX_CHARACTERS)
    throw new ModelError("malformed", "The model's answer is longer than 4 MB, so Baton stopped reading it.");
}

/** The reason why a reply ended. Throws if there is none, because a reply that was cut off must not be executed. */
export function finishReason({ finish }: AccumulatedReply): string {
  const isUnexplained = finish?.unified === "other" && !finish.raw;
  if (!finish || CUT.has(finish.unified) || isUnexplained) throw new ModelError("cut", "The model's answer was cut off before its end.");
  return finish.unified;
}

const CUT: ReadonlySet<string> = new Set(["interrupted", "error"]);

/** The order of a reply and its provider data, if the provider needs them to read the reply again. */
export function replyParts({ parts }: AccumulatedReply): ModelReplyPart[] | undefined {
  const order = parts.map(({ kind }) => kind).join(" ");
  const plain = /^(reasoning ?)?(text ?)?(call ?)*$/.test(order) && parts.every(({ meta }) => meta === undefined);
  return plain ? undefined : parts.map(({ id: _, ...part }) => part);
}

/** Adds to a part. Some providers reuse an id for a new piece, so only adjacent pieces are joined. */
function note(reply: AccumulatedReply, kind: "text" | "reasoning", id: string, length: number, meta: ModelReplyPart["meta"]): void {
  const last = reply.parts.at(-1);
  const same = last?.kind === kind && last.id === id ? last : undefined;
  const known = same ?? (length === 0 ? reply.parts.findLast((part) => part.kind === kind && part.id === id) : undefined);
  const part = known ?? { kind, id, length: 0 };
  if (!known) reply.parts.push(part);
  part.length = (part.length ?? 0) + length;
  if (meta) part.meta = merged(part.meta, meta);
}

/** Merges provider data. For each provider, the newest value of each field wins. */
function merged(before: ModelReplyPart["meta"], now: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...before };
  for (const [provider, fields] of Object.entries(now)) all[provider] = { ...fieldsOf(all[provider]), ...fieldsOf(fields) };
  return all;
}

const fieldsOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

/** Parses the arguments of a call. Anything but an object remains raw text. */
function argumentsOf(text: string): { input: unknown } | { raw: string } {
  const input = parseJson(text);
  return isRecord(input) ? { input } : { raw: text }; // the result of the call describes the problem
}
