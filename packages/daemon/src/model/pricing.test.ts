import { expect, test } from "vitest";
import { toUsage } from "./pricing.ts";

const tokens = (total: number, cacheRead = 0, cacheWrite = 0) => ({
  inputTokens: { total, cacheRead, cacheWrite, noCache: undefined },
  outputTokens: { total: 1_000, text: undefined, reasoning: 400 },
});
const price = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };

test("cached input costs the price of reading and writing the cache", () => {
  expect(toUsage(tokens(10_000, 6_000, 1_000), price)).toEqual({
    input: 10_000,
    cachedInput: 6_000,
    cacheWrite: 1_000,
    output: 1_000,
    reasoning: 400,
    cost: (3_000 * 3 + 6_000 * 0.3 + 1_000 * 3.75 + 1_000 * 15) / 1e6,
  });
});

test("a request above a size pays the price of its tier for all tokens", () => {
  const tiered = { ...price, tiers: [{ tier: { size: 200_000 }, input: 6, output: 22 }] };
  expect(toUsage(tokens(200_000), tiered).cost).toBeCloseTo(0.615);
  expect(toUsage(tokens(200_001), tiered).cost).toBeCloseTo(1.222);
});

test("a model without a known price does not count as free", () => {
  expect(toUsage(tokens(10), undefined)).toMatchObject({ cost: 0, unpriced: true });
  expect(toUsage(tokens(10), { input: 0, output: 0 })).not.toHaveProperty("unpriced");
});
