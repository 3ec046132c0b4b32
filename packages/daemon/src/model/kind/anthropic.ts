import { common, type Kind } from "./kind.ts";
import { plainId } from "./plain-id.ts";

/** Anthropic's messages API. Its cache is told where the stable part ends; its signed thoughts come back. */
export const anthropic: Kind = {
  load: async (access, model) => (await import("@ai-sdk/anthropic")).createAnthropic(common(access))(model),
  manner: (extra) => ({
    options: () => ({ anthropic: extra }),
    cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
    marksTools: true,
    reasoning: "signed",
    callId: plainId,
  }),
};
