import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelReplyPart } from "@baton/core/protocol/tool-call";
import type { ModelReasoning, Message } from "@baton/core/session/context/build-messages";
import type { ProviderDialect } from "./provider-dialect.ts";
import { toImagePart } from "./image-part.ts";
import type { ModelRequest } from "./model-port.ts";
import { toProviderResults } from "./to-provider-results.ts";

type AssistantMessage = Extract<Message, { role: "assistant" }>;
type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];

/** Converted messages of one model, so that no message of a long conversation is converted twice. */
export type MessageCache = WeakMap<Message, readonly LanguageModelV4Message[]>;

/**
 * The conversation in the format of the provider packages, for the model `id`. Consecutive prompts become one message, because many servers
 * want roles to alternate.
 */
export async function toProviderMessages(
  { system, messages, readBlob }: Pick<ModelRequest, "system" | "messages" | "readBlob">,
  { id, manner, cache }: { id: string; manner: ProviderDialect; cache: MessageCache },
): Promise<LanguageModelV4Prompt> {
  const forms: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const own = cache.get(message) ?? (await formsOf(message, readBlob, id, manner));
    cache.set(message, own);
    for (const form of own) put(form, forms, manner);
  }
  return marked([{ role: "system", content: system }, ...forms], manner.cacheMark);
}

/** Adds a message. If the provider needs an answer of the model between results and a prompt, a short one is added. */
function put(form: LanguageModelV4Message, forms: LanguageModelV4Message[], { speaksAfterResults = false }: ProviderDialect): void {
  const last = forms.at(-1);
  if (form.role === "user" && last?.role === "tool" && speaksAfterResults) forms.push(BETWEEN);
  if (form.role === "user" && last?.role === "user") forms[forms.length - 1] = joined(last.content, form.content);
  else if (form.role === "system" || form.content.length > 0) forms.push(form);
}

const BETWEEN: LanguageModelV4Message = { role: "assistant", content: [{ type: "text", text: "I have the results." }] };

/** Marks the end of the system prompt and the newest two messages that are not the model's. */
function marked(prompt: LanguageModelV4Prompt, mark: SharedV4ProviderOptions | undefined): LanguageModelV4Prompt {
  if (!mark) return prompt;
  const newest = prompt.flatMap(({ role }, i) => (role === "user" || role === "tool" ? [i] : [])).slice(-2);
  return prompt.map((message, i) => (i === 0 || newest.includes(i) ? { ...message, providerOptions: mark } : message));
}

/** Joins prompts. Texts alone remain one text, because old servers do not accept a list. */
function joined(a: UserContent, b: UserContent): LanguageModelV4Message {
  const texts = [...a, ...b].flatMap((part) => (part.type === "text" ? [part.text] : []));
  const both = texts.length === a.length + b.length;
  return { role: "user", content: both ? [{ type: "text", text: texts.join("\n\n") }] : [...a, ...b] };
}

async function formsOf(
  message: Message,
  readBlob: ModelRequest["readBlob"],
  id: string,
  manner: ProviderDialect,
): Promise<LanguageModelV4Message[]> {
  const { callId = (given: string) => given } = manner;
  switch (message.role) {
    case "user":
      return [{ role: "user", content: [...textOf(message.text), ...(await toImagePart(message.images, readBlob, manner))] }];
    case "assistant":
      return [{ role: "assistant", content: replyOf(message, callId, message.reasoning?.model === id ? manner.reasoning : undefined) }];
    case "tool":
      return toProviderResults(message, readBlob, manner);
  }
}

/** Providers reject texts that only consist of spaces. */
const textOf = (text: string) => (text.trim() === "" ? [] : [{ type: "text" as const, text }]);

/** A reply of the same model returns in its own order with its signatures. Another model gets only text and calls. */
function replyOf(
  message: AssistantMessage,
  callId: (id: string) => string,
  wants: ProviderDialect["reasoning"] | undefined,
): AssistantContent {
  const calls = message.calls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: callId(call.id),
    toolName: call.tool,
    input: call.input,
  }));
  const { reasoning } = message;
  if (!reasoning || wants === undefined) return [...textOf(message.text), ...calls];
  if (!reasoning.parts)
    return [...(wants === "text" ? [{ type: "reasoning" as const, text: reasoning.reasoning }] : []), ...textOf(message.text), ...calls];
  return inOrder({ ...reasoning, parts: reasoning.parts }, message.text, calls, wants);
}

function inOrder(
  { parts, reasoning }: ModelReasoning & { parts: readonly ModelReplyPart[] },
  text: string,
  calls: AssistantContent,
  wants: ProviderDialect["reasoning"],
): AssistantContent {
  const content: AssistantContent = [];
  const at = { text: 0, reasoning: 0, call: 0 };
  for (const { kind, length = 0, meta } of parts) {
    const options = meta === undefined ? {} : { providerOptions: meta as SharedV4ProviderOptions }; // unchanged from the provider
    const from = at[kind];
    at[kind] += kind === "call" ? 1 : length;
    if (kind === "call") content.push(...calls.slice(from, from + 1).map((call) => ({ ...call, ...options })));
    else if (kind === "text") content.push(...textOf(text.slice(from, from + length)).map((part) => ({ ...part, ...options })));
    else if (wants === "text" || (wants === "signed" && meta !== undefined))
      content.push({ type: "reasoning", text: reasoning.slice(from, from + length), ...options });
  }
  return content;
}
