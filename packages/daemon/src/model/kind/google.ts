import { common, type Kind } from "./kind.ts";

/** Google's Gemini API. Signatures of thoughts come back on the part that they came with. */
export const google: Kind = {
  load: async (access, model) => (await import("@ai-sdk/google")).createGoogle(common(access))(model),
  manner: (extra) => ({ options: () => ({ google: extra }), reasoning: "signed" }),
};
