import type { LanguageModelV4, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Effort } from "@baton/core/protocol/model";
import { toModelFault } from "./provider-failure.ts";
import { finishReason, accumulate, emptyReply, replyParts } from "./accumulate-reply.ts";
import { idleTimeout } from "./idle-timeout.ts";
import type { ProviderDialect } from "./provider-dialect.ts";
import { isAboutImage } from "./provider-error-message.ts";
import { toUsage, type Price, type Tokens } from "./pricing.ts";
import { estimateUsage } from "./estimate-usage.ts";
import type { Model, ModelRequest, OfferedTool } from "./model-port.ts";
import { toProviderMessages, type MessageCache } from "./to-provider-messages.ts";

export type StreamModelOptions = {
  /** `provider/model`, as sessions name it. */
  id: string;
  /** Loads the provider package; called once, at the first request. */
  load: () => Promise<LanguageModelV4>;
  manner: ProviderDialect;
  price?: Price | undefined;
  /** It is known not to call tools, so it is offered none. */
  toolless?: boolean;
  maxOutput?: number | undefined;
  effort?: Effort | undefined;
  /** The key and what else the provider is told of who asks, so that none of it is part of what a person reads. */
  secrets?: () => Promise<readonly (string | undefined)[]>;
  timeoutMs?: number | undefined;
};

/** Makes one of our models of a provider package's model. */
export function streamModel({
  id,
  load,
  manner,
  price,
  toolless = false,
  maxOutput,
  effort,
  secrets,
  timeoutMs,
}: StreamModelOptions): Model {
  let loading: Promise<LanguageModelV4> | undefined;
  const told: MessageCache = new WeakMap();
  const open = async (request: ModelRequest, abortSignal: AbortSignal) => {
    const model = await (loading ??= load().catch(anew));
    const { temperature, topP } = request.sampling ?? {};
    return model.doStream({
      prompt: await toProviderMessages(request, { id, manner, told }),
      tools: toolless ? [] : toolsOf(request.tools, manner),
      abortSignal,
      ...(manner.options ? { providerOptions: manner.options(request) } : {}),
      ...(manner.told ? { includeRawChunks: true } : {}),
      ...(maxOutput === undefined ? {} : { maxOutputTokens: maxOutput }),
      ...(effort === undefined || !mayReason(request, id) ? {} : { reasoning: effort }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { topP }),
    });
  };
  const anew = (error: unknown): never => {
    loading = undefined; // a key may have been set meanwhile
    throw error;
  };
  return async (request, onPart, signal) => {
    const limit = idleTimeout(signal, timeoutMs);
    try {
      const { stream } = await open(request, limit.signal);
      const reply = emptyReply();
      let told: Partial<Tokens> | undefined;
      onPart({ type: "spending", soFar: () => estimateUsage(reply, told, request, price) });
      for await (const part of stream) {
        limit.sign(part.type);
        if (part.type === "raw") told = manner.told?.(part.rawValue) ?? told;
        accumulate(reply, part, onPart);
      }
      const finish = finishReason(reply);
      const { text, reasoning: thought, calls, usage } = reply;
      const parts = replyParts(reply);
      return {
        text,
        calls,
        usage: toUsage(usage, price),
        finish,
        ...(thought === "" ? {} : { reasoning: thought }),
        ...(parts === undefined ? {} : { parts }),
      };
    } catch (error) {
      signal.throwIfAborted();
      const { failure } = toModelFault(limit.signal.aborted ? limit.signal.reason : error);
      const code = hasPictures(request) && isAboutImage(failure.message, failure.code) ? "bad_picture" : failure.code;
      return { failed: { ...failure, code, message: without(await secrets?.().catch(() => undefined), failure.message) } };
    } finally {
      limit.end();
    }
  };
}

const hasPictures = ({ messages }: ModelRequest): boolean =>
  messages.some((message) =>
    message.role === "tool" ? message.results.some(({ images }) => images) : message.role === "user" && message.images !== undefined,
  );

function toolsOf(tools: readonly OfferedTool[], { cacheMark, marksTools, takesStrict }: ProviderDialect): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, schema }, i) => ({
    type: "function",
    name,
    description,
    inputSchema: schema,
    ...(takesStrict && isStrict(schema) ? { strict: true } : {}),
    ...(marksTools && cacheMark && i === tools.length - 1 ? { providerOptions: cacheMark } : {}),
  }));
}

/** Keywords that providers take in a schema that a model is held to. Source: OpenAI, "Supported schemas". */
const STRICT = new Set(
  "type properties required additionalProperties items enum const anyOf description pattern format minimum maximum minItems maxItems".split(
    " ",
  ),
);

/** What of a schema says whether it is strict. Its types are those of JSON Schema, which nobody has checked. */
type Schema = {
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: unknown;
  anyOf?: readonly unknown[];
};

/** Whether a provider can hold a model to the schema: it names every field as required, allows no other, and knows every keyword. */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema as Schema;
  const isKnown = Object.keys(schema).every((keyword) => STRICT.has(keyword));
  const isClosed =
    type !== "object" || (additionalProperties === false && Object.keys(properties).every((name) => required.includes(name)));
  const parts = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf];
  return isKnown && isClosed && parts.every(isStrict);
}

/** A model that begins to think in the middle of another one's work would lack the thoughts that led to its calls. */
function mayReason({ messages }: ModelRequest, id: string): boolean {
  const last = messages.findLast((message) => message.role === "assistant");
  const inTheMiddle = messages.at(-1)?.role === "tool";
  return !inTheMiddle || last?.kept?.model === id;
}

/** A key that is too short to be one is no secret, and taking it out would garble the text. */
const without = (secrets: readonly (string | undefined)[] | undefined, text: string): string =>
  (secrets ?? []).reduce<string>((left, secret) => (secret && secret.length >= 8 ? left.replaceAll(secret, "[key]") : left), text);
