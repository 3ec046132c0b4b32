import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsage } from "@baton/core/protocol/tool-call";
import type { ModelEntry } from "@baton/core/protocol/config/model";

/** US dollars per million tokens. Without a price for the cache, cached input costs as much as other input. */
export type Price = NonNullable<ModelEntry["cost"]>;
export const FREE: Price = { input: 0, output: 0 };

/** The usage of one answer. Without a price it is marked as unpriced. */
export function toUsage(usage: LanguageModelV4Usage | undefined, price: Price | undefined): TokenUsage {
  return withPrice(toTokens(usage), price);
}

/** Token counts as in `Usage`. */
export type TokenCounts = { input: number; cachedInput: number; cacheWrite: number; output: number; reasoning: number };

export const toTokens = ({ inputTokens, outputTokens }: Partial<LanguageModelV4Usage> = {}): TokenCounts => ({
  input: inputTokens?.total ?? 0,
  cachedInput: inputTokens?.cacheRead ?? 0,
  cacheWrite: inputTokens?.cacheWrite ?? 0,
  output: outputTokens?.total ?? 0,
  reasoning: outputTokens?.reasoning ?? 0,
});

export function withPrice({ input, cachedInput, cacheWrite, output, reasoning }: TokenCounts, price: Price | undefined): TokenUsage {
  return {
    input,
    cachedInput,
    output,
    ...(cacheWrite === 0 ? {} : { cacheWrite }),
    ...(reasoning === 0 ? {} : { reasoning }),
    ...(price ? { cost: costOf({ input, cachedInput, cacheWrite, output }, price) } : { cost: 0, unpriced: true as const }),
  };
}

function costOf({ input, cachedInput, cacheWrite, output }: Omit<TokenCounts, "reasoning">, { tiers = [], ...base }: Price): number {
  const rates = tiers.filter(({ tier }) => input > tier.size).sort((a, b) => b.tier.size - a.tier.size)[0] ?? base;
  const { cache_read: reading = rates.input, cache_write: writing = rates.input } = rates;
  const plain = Math.max(0, input - cachedInput - cacheWrite);
  return (plain * rates.input + cachedInput * reading + cacheWrite * writing + output * rates.output) / 1_000_000;
}
