import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { LanguageModelV4, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Effort } from "@baton/core/protocol/config/model";
import { toModelFault } from "./provider-failure.ts";
import { finishReason, addReplyPart, emptyReply, replyParts } from "./accumulate-reply.ts";
import { idleTimeout } from "./idle-timeout.ts";
import type { ProviderDialect } from "./provider-dialect.ts";
import { isAboutImage } from "./provider-error-message.ts";
import { toUsage, type Price, type TokenCounts } from "./pricing.ts";
import { estimateUsage } from "./estimate-usage.ts";
import type { Model, ModelRequest, OfferedTool } from "./model-port.ts";
import { toProviderMessages, type MessageCache } from "./to-provider-messages.ts";

type StreamModelOptions = {
  /** `provider/model`, the name in sessions. */
  id: string;
  /** Loads the provider package. Called once, at the first request. */
  load: () => Promise<LanguageModelV4>;
  manner: ProviderDialect;
  price?: Price | undefined;
  /** The model is known not to call tools, so it gets none. */
  toolless?: boolean;
  maxOutput?: number | undefined;
  effort?: Effort | undefined;
  /** The key and other credentials. They are removed from messages for the user. */
  secrets?: () => Promise<readonly (string | undefined)[]>;
  timeoutMs?: number | undefined;
};

/** Makes a `Model` from the model of a provider package. */
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
  const cache: MessageCache = new WeakMap();
  const open = async (request: ModelRequest, abortSignal: AbortSignal) => {
    const model = await (loading ??= load().catch(anew));
    const { temperature, topP } = request.sampling ?? {};
    return model.doStream({
      prompt: await toProviderMessages(request, { id, manner, cache }),
      tools: toolless ? [] : toolsOf(request.tools, manner),
      abortSignal,
      ...(manner.options ? { providerOptions: manner.options(request) } : {}),
      ...(manner.partialTokens ? { includeRawChunks: true } : {}),
      ...omitUndefined({ maxOutputTokens: maxOutput }),
      ...(effort === undefined || !mayReason(request, id) ? {} : { reasoning: effort }),
      ...omitUndefined({ temperature, topP }),
    });
  };
  const anew = (error: unknown): never => {
    loading = undefined; // the user may set a key meanwhile
    throw error;
  };
  return async (request, onPart, signal) => {
    const limit = idleTimeout(signal, timeoutMs);
    try {
      const { stream } = await open(request, limit.signal);
      const reply = emptyReply();
      let reported: Partial<TokenCounts> | undefined;
      onPart({ type: "spending", soFar: () => estimateUsage(reply, reported, request, price) });
      for await (const part of stream) {
        limit.onPart(part.type);
        if (part.type === "raw") reported = manner.partialTokens?.(part.rawValue) ?? reported;
        addReplyPart(reply, part, onPart);
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
        ...omitUndefined({ parts }),
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

/** The keywords that providers accept in a strict schema. Source: OpenAI, "Supported schemas". */
const STRICT = new Set(
  "type properties required additionalProperties items enum const anyOf description pattern format minimum maximum minItems maxItems".split(
    " ",
  ),
);

/** The fields of a JSON Schema that decide whether it can be strict. Their types are not verified. */
type Schema = {
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: unknown;
  anyOf?: readonly unknown[];
};

/** True if a provider can enforce the schema: every field is required, no other field is allowed, and every keyword is known. */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema as Schema;
  const isKnown = Object.keys(schema).every((keyword) => STRICT.has(keyword));
  const isClosed =
    type !== "object" || (additionalProperties === false && Object.keys(properties).every((name) => required.includes(name)));
  const parts = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf];
  return isKnown && isClosed && parts.every(isStrict);
}

/** False in the middle of another model's work, because the reasoning that led to its calls is missing. */
function mayReason({ messages }: ModelRequest, id: string): boolean {
  const last = messages.findLast((message) => message.role === "assistant");
  const inTheMiddle = messages.at(-1)?.role === "tool";
  return !inTheMiddle || last?.reasoning?.model === id;
}

/** Removes secrets. A very short value is not a secret, and removing it would garble the text. */
const without = (secrets: readonly (string | undefined)[] | undefined, text: string): string =>
  (secrets ?? []).reduce<string>((left, secret) => (secret && secret.length >= 8 ? left.replaceAll(secret, "[key]") : left), text);
