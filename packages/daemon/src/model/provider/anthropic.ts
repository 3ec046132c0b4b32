import * as z from "zod";
import type { ProviderDialect } from "../provider-dialect.ts";
import { commonSettings, type ProviderKind } from "./provider-kind.ts";
import { safeCallId } from "./mistral-call-ids.ts";

/** Anthropic's messages API. Its cache is told where the stable part ends; its signed thoughts come back. */
export const anthropic: ProviderKind = {
  load: async (access, model) => (await import("@ai-sdk/anthropic")).createAnthropic(commonSettings(access))(model),
  manner: (extra) => ({
    options: () => ({ anthropic: extra }),
    cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
    marksTools: true,
    reasoning: "signed",
    callId: safeCallId,
    told,
  }),
};

/** It counts what it reads when it begins, and what it wrote when it ends. What comes from its cache it counts apart. */
const Told = z.object({
  type: z.literal("message_start"),
  message: z.object({
    usage: z.object({
      input_tokens: z.number(),
      cache_read_input_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
    }),
  }),
});

function told(piece: unknown): ReturnType<NonNullable<ProviderDialect["told"]>> {
  if (typeof piece !== "object" || piece === null || !("message" in piece)) return undefined; // it is asked of each piece
  const { data } = Told.safeParse(piece);
  if (!data) return undefined;
  const { input_tokens: plain, cache_read_input_tokens: read, cache_creation_input_tokens: written } = data.message.usage;
  const [cachedInput, cacheWrite] = [read ?? 0, written ?? 0];
  return { input: plain + cachedInput + cacheWrite, cachedInput, cacheWrite };
}
