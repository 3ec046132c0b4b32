import type { Model } from "./provider.ts";
import { streamModel, type Price } from "./stream-model.ts";

/** A model behind an OpenAI-compatible chat-completions API. The provider package is loaded at the first call. */
export function openAiCompatible(settings: { name: string; baseUrl: string; apiKey?: string; model: string; price?: Price }): Model {
  const { name, baseUrl, apiKey, model, price } = settings;
  return streamModel(async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ name, baseURL: baseUrl, includeUsage: true, ...(apiKey === undefined ? {} : { apiKey }) })(model);
  }, price);
}
