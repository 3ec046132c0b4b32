import * as z from "zod";
import type { ProviderDialect } from "../provider-dialect.ts";
import type { ProviderKind } from "./provider-kind.ts";
import { commonSettings, embeddingSettings } from "./provider-settings.ts";

/** Google's Gemini API. It wants signatures of reasoning back on the part that had them. */
export const google: ProviderKind = {
  load: async (access, model) => (await import("@ai-sdk/google")).createGoogle(commonSettings(access))(model),
  loadEmbedding: async (access, model) => (await import("@ai-sdk/google")).createGoogle(embeddingSettings(access)).embeddingModel(model),
  manner: (extra) => ({ options: () => ({ google: extra }), reasoning: "signed", partialTokens }),
};

/** Each piece reports the usage so far. Reasoning is counted separately. */
const UsagePiece = z.object({
  usageMetadata: z.object({
    promptTokenCount: z.number(),
    cachedContentTokenCount: z.number().nullish(),
    candidatesTokenCount: z.number().nullish(),
    thoughtsTokenCount: z.number().nullish(),
  }),
});

function partialTokens(piece: unknown): ReturnType<NonNullable<ProviderDialect["partialTokens"]>> {
  const { data } = UsagePiece.safeParse(piece);
  if (!data) return undefined;
  const {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: textTokens,
    thoughtsTokenCount: thought,
  } = data.usageMetadata;
  const reasoning = thought ?? 0;
  return { input, cachedInput: cached ?? 0, output: (textTokens ?? 0) + reasoning, reasoning };
}
