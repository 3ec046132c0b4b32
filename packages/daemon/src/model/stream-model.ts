import type {
  LanguageModelV4,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { Usage } from "@baton/core/protocol/call";
import type { Message } from "@baton/core/session/messages";
import { faultOf } from "./fault.ts";
import { idleLimit } from "./idle-limit.ts";
import { ModelError, type Model, type ModelCall, type ModelReply, type ModelRequest, type OfferedTool } from "./provider.ts";

/** Makes one of our models of a provider package's model. Prices are in US dollars per million tokens. */
export function streamModel(
  load: () => Promise<LanguageModelV4>,
  { price = free, timeoutMs }: { price?: Price; timeoutMs?: number | undefined } = {},
): Model {
  let loading: Promise<LanguageModelV4> | undefined;
  const told = new WeakMap<Message, LanguageModelV4Message>();
  return async ({ system, messages, tools, sampling: { temperature, topP } = {}, readBlob }, onPart, signal) => {
    const limit = idleLimit(signal, timeoutMs);
    try {
      const model = await (loading ??= load());
      const conversation = await inProviderForms(messages, told, readBlob);
      const prompt = [{ role: "system" as const, content: system }, ...conversation];
      const { stream } = await model.doStream({
        prompt,
        tools: tools.map(functionTool),
        abortSignal: limit.signal,
        ...(temperature === undefined ? {} : { temperature }),
        ...(topP === undefined ? {} : { topP }),
      });
      const reply = emptyReply();
      for await (const part of stream) {
        limit.sign(part.type);
        take(part, reply, onPart);
      }
      return whole(reply, price);
    } catch (error) {
      signal.throwIfAborted();
      return { failed: faultOf(limit.signal.aborted ? limit.signal.reason : error).failure };
    } finally {
      limit.end();
    }
  };
}

export type Price = { input: number; cachedInput: number; output: number };
const free: Price = { input: 0, cachedInput: 0, output: 0 };

type Gathering = {
  text: string;
  reasoning: string;
  calls: ModelCall[];
  usage?: LanguageModelV4Usage;
  finish?: LanguageModelV4FinishReason;
};
const emptyReply = (): Gathering => ({ text: "", reasoning: "", calls: [] });

function take(part: LanguageModelV4StreamPart, reply: Gathering, onPart: Parameters<Model>[1]): void {
  if (part.type === "text-delta") {
    reply.text += part.delta;
    onPart({ type: "text", text: part.delta });
  } else if (part.type === "reasoning-delta") {
    reply.reasoning += part.delta;
    onPart({ type: "reasoning", text: part.delta });
  } else if (part.type === "tool-call") {
    reply.calls.push({ providerId: part.toolCallId, tool: part.toolName, ...argumentsOf(part.input) });
  } else if (part.type === "finish") {
    reply.usage = part.usage;
    reply.finish = part.finishReason;
  } else if (part.type === "error") {
    throw part.error;
  }
}

/** A reply that did not say why it ended has been cut: nothing of it may be run. */
function whole({ text, reasoning, calls, usage, finish }: Gathering, price: Price): ModelReply {
  if (finish?.raw === undefined) throw new ModelError("cut", "The model's answer broke off before its end.");
  return { text, calls, usage: usageOf(usage, price), finish: finish.unified, ...(reasoning === "" ? {} : { reasoning }) };
}

/** Arguments are an object or they are nothing: text that is no JSON, `null`, lists and bare values are kept as they came. */
function argumentsOf(text: string): { input: unknown } | { raw: string } {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? { input } : { raw: text };
  } catch {
    return { raw: text }; // the call is answered with what is wrong with it
  }
}

function usageOf(usage: LanguageModelV4Usage | undefined, price: Price): Usage {
  const input = usage?.inputTokens.total ?? 0;
  const cachedInput = usage?.inputTokens.cacheRead ?? 0;
  const output = usage?.outputTokens.total ?? 0;
  const cost = ((input - cachedInput) * price.input + cachedInput * price.cachedInput + output * price.output) / 1_000_000;
  return { input, cachedInput, output, cost };
}

const functionTool = ({ name, description, schema }: OfferedTool) => ({
  type: "function" as const,
  name,
  description,
  inputSchema: schema,
});

/** What was made of a message before is used again: nothing of a long conversation is made twice. */
async function inProviderForms(
  messages: readonly Message[],
  told: WeakMap<Message, LanguageModelV4Message>,
  readBlob: ModelRequest["readBlob"],
): Promise<LanguageModelV4Message[]> {
  const forms: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const form = told.get(message) ?? inProviderForm(message, await picturesOf(message, readBlob));
    told.set(message, form);
    forms.push(form);
  }
  return forms;
}

type Picture = { type: "file"; mediaType: string; data: { type: "data"; data: Uint8Array } };

async function picturesOf(message: Message, readBlob: ModelRequest["readBlob"]): Promise<Picture[]> {
  if (message.role !== "user" || !message.images) return [];
  const pictures = await Promise.all(message.images.map(async ({ blob, mediaType }) => ({ mediaType, bytes: await readBlob(blob) })));
  return pictures.flatMap(({ mediaType, bytes }) =>
    bytes ? [{ type: "file" as const, mediaType, data: { type: "data" as const, data: bytes } }] : [],
  );
}

function inProviderForm(message: Message, pictures: readonly Picture[]): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: [...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]), ...pictures] };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map((call) => ({ type: "tool-call" as const, toolCallId: call.id, toolName: call.tool, input: call.input })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: message.results.map((result) => ({
          type: "tool-result" as const,
          toolCallId: result.id,
          toolName: result.tool,
          output: { type: result.outcome === "ok" ? ("text" as const) : ("error-text" as const), value: result.text },
        })),
      };
  }
}
