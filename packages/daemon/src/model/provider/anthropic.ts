import * as z from "zod";
import type { ProviderDialect } from "../provider-dialect.ts";
import type { ProviderKind } from "./provider-kind.ts";
import { commonSettings } from "./provider-settings.ts";
import { safeCallId } from "./mistral-call-ids.ts";

/** Anthropic's messages API. A mark tells its cache where the stable part ends. It wants signed reasoning back. */
export const anthropic: ProviderKind = {
  load: async (access, model) => (await import("@ai-sdk/anthropic")).createAnthropic(commonSettings(access))(model),
  manner: (extra) => ({
    options: () => ({ anthropic: extra }),
    cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
    marksTools: true,
    reasoning: "signed",
    callId: safeCallId,
    partialTokens,
  }),
};

/** The input is reported at the start and the output at the end. Cached tokens are reported separately. */
const UsagePiece = z.object({
  type: z.literal("message_start"),
  message: z.object({
    usage: z.object({
      input_tokens: z.number(),
      cache_read_input_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
    }),
  }),
});

function partialTokens(piece: unknown): ReturnType<NonNullable<ProviderDialect["partialTokens"]>> {
  if (typeof piece !== "object" || piece === null || !("message" in piece)) return undefined; // it is asked of each piece
  const { data } = UsagePiece.safeParse(piece);
  if (!data) return undefined;
  const { input_tokens: plain, cache_read_input_tokens: read, cache_creation_input_tokens: written } = data.message.usage;
  const cachedInput = read ?? 0;
  const cacheWrite = written ?? 0;
  return { input: plain + cachedInput + cacheWrite, cachedInput, cacheWrite };
}
