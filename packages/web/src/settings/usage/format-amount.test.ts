import { noTotals } from "@baton/core/session/usage/usage-totals";
import { expect, test } from "vitest";
import { formatAmount, cachedText, medianText } from "./format-amount.ts";

const cost = (dollars: number, more = {}) => ({ ...noTotals, cost: dollars, ...more });

test('a sum is as exact as its parts: "at least" if a price is missing, and "about" if usage is estimated', () => {
  expect(formatAmount("cost", cost(1.5, { unpriced: true, estimated: 3 }))).toBe("at least $1.50");
  expect(formatAmount("cost", cost(1.5, { estimated: 3 }))).toBe("about $1.50");
  expect(formatAmount("tokens", { ...noTotals, input: 46_000, output: 1_000, unpriced: true, estimated: 3 })).toBe("about 47k");
});

test("the median is the middle value, or the mean of the two middle values, and inexact if any of them is", () => {
  expect(medianText("cost", [cost(9), cost(1), cost(2)])).toBe("$2.00");
  expect(medianText("cost", [cost(9), cost(1), cost(2), cost(4)])).toBe("$3.00");
  expect(medianText("cost", [cost(1), cost(2), cost(0, { unpriced: true })])).toBe("at least $1.00");
});

test("the share of cached input is shown if there was input", () => {
  expect(cachedText({ ...noTotals, input: 300, cachedInput: 200 })).toBe("66 %");
  expect(cachedText(noTotals)).toBe("–");
});
