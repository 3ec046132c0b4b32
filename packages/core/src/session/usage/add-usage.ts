import type { TokenUsage } from "../../protocol/tool-call.ts";

export const noUsage: TokenUsage = { input: 0, cachedInput: 0, output: 0, cost: 0 };

export const addUsage = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  cachedInput: a.cachedInput + b.cachedInput,
  output: a.output + b.output,
  cost: a.cost + b.cost,
  ...sum("cacheWrite", a, b),
  ...sum("reasoning", a, b),
  ...sum("estimated", a, b),
  ...(a.unpriced || b.unpriced ? { unpriced: true as const } : {}),
});

const sum = (key: "cacheWrite" | "reasoning" | "estimated", a: TokenUsage, b: TokenUsage): Partial<TokenUsage> => {
  const both = (a[key] ?? 0) + (b[key] ?? 0);
  return both === 0 ? {} : { [key]: both };
};
