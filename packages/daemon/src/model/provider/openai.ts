import { textOnly, type ProviderKind } from "./provider-kind.ts";
import { commonSettings, embeddingSettings } from "./provider-settings.ts";
import { safeCallId } from "./mistral-call-ids.ts";

/** OpenAI's responses API. OpenAI stores nothing: reasoning comes back encrypted, and the session id is the cache key. */
export const openai: ProviderKind = {
  load: async (access, model) => (await import("@ai-sdk/openai")).createOpenAI(commonSettings(access)).responses(model),
  loadEmbedding: async (access, model) => (await import("@ai-sdk/openai")).createOpenAI(embeddingSettings(access)).embeddingModel(model),
  manner: (extra) => ({
    options: ({ sessionId }) => ({ openai: { store: false, promptCacheKey: sessionId, ...extra } }),
    reasoning: "signed",
    takesStrict: true,
    callId: safeCallId,
  }),
};

/** OpenAI's older chat completions. */
export const openaiChat: ProviderKind = {
  load: async (access, model) => (await import("@ai-sdk/openai")).createOpenAI(commonSettings(access)).chat(model),
  loadEmbedding: async (access, model) => (await import("@ai-sdk/openai")).createOpenAI(embeddingSettings(access)).embeddingModel(model),
  manner: (extra) => ({
    options: ({ sessionId }) => ({ openai: { promptCacheKey: sessionId, ...extra } }),
    inResults: textOnly,
    reasoning: "none",
    takesStrict: true,
    callId: safeCallId,
  }),
};
