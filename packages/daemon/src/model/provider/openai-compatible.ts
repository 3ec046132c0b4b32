import { ModelError } from "../model-port.ts";
import { textOnly, type ProviderAccess, type ProviderKind } from "./provider-kind.ts";
import { commonSettings, embeddingSettings } from "./provider-settings.ts";
import { isMistral } from "./mistral-call-ids.ts";

/** Chat completions of many services and local servers: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter. */
export const openaiCompatible: ProviderKind = {
  keyless: true,
  load: async (access, model) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ ...commonSettings(access), ...addressOf(access), includeUsage: true })(model);
  },
  loadEmbedding: async (access, model) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ ...embeddingSettings(access), ...addressOf(access) }).embeddingModel(model);
  },
  manner: (extra, { id, reasoningBack }) => ({
    options: () => ({ openaiCompatible: extra }),
    inResults: textOnly,
    speaksAfterResults: isMistral(id),
    reasoning: reasoningBack ? "text" : "none",
    takesStrict: true,
  }),
};

function addressOf({ name, baseUrl }: ProviderAccess): { name: string; baseURL: string } {
  if (baseUrl === undefined) throw new ModelError("no_model", `The provider ${name} has no baseUrl. Set it in config.jsonc.`);
  return { name, baseURL: baseUrl };
}
