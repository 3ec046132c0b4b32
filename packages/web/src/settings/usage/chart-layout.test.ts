import { expect, test } from "vitest";
import { chartLayout } from "./chart-layout.ts";

const days = (...totals: number[]) => totals.map((total, i) => ({ day: `2026-01-${String(i + 1).padStart(2, "0")}`, amounts: [total] }));

test("a bar is as high as its amount, and its parts are stacked in order", () => {
  const { bars, ticks } = chartLayout([{ day: "2026-01-01", amounts: [4, 0, 2] }, ...days(3)], 500);
  const zero = ticks[0]?.y ?? 0;
  const [first, second] = bars;
  expect(first?.parts.map(({ series }) => series)).toEqual([0, 2]);
  expect(zero - (first?.top ?? 0)).toBeCloseTo(2 * (zero - (second?.top ?? 0)));
  expect(first?.parts[1]?.y).toBeCloseTo(first?.top ?? 0);
  expect((first?.parts[0]?.y ?? 0) - (first?.parts[1]?.y ?? 0) - (first?.parts[1]?.height ?? 0)).toBeCloseTo(1);
});

test("a few grid lines are at round amounts, and none is above the bars", () => {
  const at = (most: number) => chartLayout(days(most), 500).ticks.map(({ value }) => value);
  expect(at(8.2)).toEqual([0, 2, 4, 6, 8]);
  expect(at(0.037)).toEqual([0, 0.01, 0.02, 0.03]);
  expect(at(1_300_000)).toEqual([0, 500_000, 1_000_000]);
  expect(at(0)).toEqual([0]);
});

test("at every width all bars are inside and separate, and today has its label", () => {
  for (const [count, width] of [
    [7, 336],
    [14, 336],
    [90, 336],
    [90, 1032],
  ] as const) {
    const { bars } = chartLayout(days(...Array.from({ length: count }, () => 1)), width);
    expect(bars.every((bar, i) => i === 0 || bar.x >= (bars[i - 1]?.x ?? 0) + (bars[i - 1]?.width ?? 0) + 0.9)).toBe(true);
    expect((bars.at(-1)?.x ?? 0) + (bars.at(-1)?.width ?? 0)).toBeLessThanOrEqual(width);
    const ends = bars.flatMap(({ label }) => (label ? [label.anchor === "end" ? label.x : label.x + 22] : []));
    expect(bars.at(-1)?.label).toBeDefined();
    expect(ends.every((end, i) => end <= width && (i === 0 || end - (ends[i - 1] ?? 0) >= 44))).toBe(true);
  }
});
