import { ModelError } from "../model-port.ts";
import { commonSettings, textOnly, type ProviderKind } from "./provider-kind.ts";
import { isMistral } from "./mistral-call-ids.ts";

/** Chat completions of many services and local servers: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter. */
export const openaiCompatible: ProviderKind = {
  keyless: true,
  load: async ({ name, baseUrl, ...access }, model) => {
    if (baseUrl === undefined) throw new ModelError("no_model", `The provider ${name} has no baseUrl. Set it in config.jsonc.`);
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ ...commonSettings({ name, ...access }), name, baseURL: baseUrl, includeUsage: true })(model);
  },
  manner: (extra, { id, reasoningBack }) => ({
    options: () => ({ openaiCompatible: extra }),
    inResults: textOnly,
    speaksAfterResults: isMistral(id),
    reasoning: reasoningBack ? "text" : "none",
    takesStrict: true,
  }),
};
