import { common, nothing, type Kind } from "./provider-kind.ts";
import { plainId } from "./safe-call-id.ts";

/** OpenAI's responses API. Nothing is stored there: reasoning comes back encrypted, and the session names the cache. */
export const openai: Kind = {
  load: async (access, model) => (await import("@ai-sdk/openai")).createOpenAI(common(access)).responses(model),
  manner: (extra) => ({
    options: ({ sessionId }) => ({ openai: { store: false, promptCacheKey: sessionId, ...extra } }),
    reasoning: "signed",
    takesStrict: true,
    callId: plainId,
  }),
};

/** OpenAI's older chat completions. */
export const openaiChat: Kind = {
  load: async (access, model) => (await import("@ai-sdk/openai")).createOpenAI(common(access)).chat(model),
  manner: (extra) => ({
    options: ({ sessionId }) => ({ openai: { promptCacheKey: sessionId, ...extra } }),
    inResults: nothing,
    reasoning: "none",
    takesStrict: true,
    callId: plainId,
  }),
};
