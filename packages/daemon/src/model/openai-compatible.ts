import type { Model } from "./provider.ts";
import { streamModel, type Price } from "./stream-model.ts";

export type OpenAiCompatibleSettings = {
  name: string;
  baseUrl: string;
  apiKey?: string | undefined;
  timeoutMs?: number | undefined;
  model: string;
  price?: Price;
};

/** A model behind an OpenAI-compatible chat-completions API. The provider package is loaded at the first call. */
export function openAiCompatible({ name, baseUrl, apiKey, timeoutMs, model, price }: OpenAiCompatibleSettings): Model {
  const load = async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ name, baseURL: baseUrl, includeUsage: true, ...(apiKey === undefined ? {} : { apiKey }) })(model);
  };
  return streamModel(load, { timeoutMs, ...(price === undefined ? {} : { price }) });
}
