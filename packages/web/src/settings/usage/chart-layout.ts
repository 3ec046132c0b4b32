/** One day of the chart with the amount of each series, in stacking order. */
export type ChartDay = { day: string; amounts: readonly number[] };

export type Bar = { day: string; x: number; width: number; top: number; total: number; parts: readonly Part[]; label: Label | undefined };
/** The position of a day's label. */
type Label = { x: number; anchor: "middle" | "end" };
/** A segment of a bar; `series` is its index. */
type Part = { series: number; y: number; height: number };

type Layout = {
  height: number;
  /** The left edge of the bars. */
  left: number;
  bars: readonly Bar[];
  /** Grid lines, from zero upwards. */
  ticks: readonly { value: number; y: number }[];
  /** Whether there is room for a number above each bar. */
  figures: boolean;
};

const [HEIGHT, LEFT, TOP, BOTTOM] = [220, 44, 22, 26];
/** The maximum width of a day's label, `26 Sept`. */
const LABEL = 44;

/** Lays out bars over `width` pixels. Nothing is scaled later, so that text has its normal size. */
export function chartLayout(days: readonly ChartDay[], width: number): Layout {
  const totals = days.map(({ amounts }) => amounts.reduce((sum, amount) => sum + amount, 0));
  const values = ticksTo(Math.max(0, ...totals));
  const most = Math.max(values.at(-1) ?? 0, ...totals) || 1;
  const y = (amount: number) => HEIGHT - BOTTOM - (amount / most) * (HEIGHT - BOTTOM - TOP);
  const slot = Math.max(1, (width - LEFT) / Math.max(1, days.length));
  const wide = slot > 8 ? Math.min(34, slot * 0.62) : Math.max(1, slot - 1);
  const inwards = Math.max(0, (LABEL - slot) / 2); // the last label moves inwards
  const every = Math.ceil((LABEL + 4 + inwards) / slot);
  return {
    height: HEIGHT,
    left: LEFT,
    ticks: values.map((value) => ({ value, y: y(value) })),
    figures: slot >= 34,
    bars: days.map(({ day, amounts }, i) => ({
      day,
      x: LEFT + i * slot + (slot - wide) / 2,
      width: wide,
      total: totals[i] ?? 0,
      top: y(totals[i] ?? 0),
      parts: barParts(amounts, y),
      label: (days.length - 1 - i) % every === 0 ? labelAt(LEFT + (i + 0.5) * slot, width) : undefined,
    })),
  };
}

const labelAt = (x: number, width: number): Label => (x + LABEL / 2 > width ? { x: width, anchor: "end" } : { x, anchor: "middle" });

function barParts(amounts: readonly number[], y: (amount: number) => number): Part[] {
  let stacked = 0;
  return amounts.flatMap((amount, series) => {
    if (amount <= 0) return [];
    const [bottom, top] = [y(stacked), y((stacked += amount))];
    const gap = stacked > amount && bottom - top > 2 ? 1 : 0; // a gap separates segments without relying on colors
    return [{ series, y: top, height: Math.max(0.5, bottom - top - gap) }];
  });
}

/** At most five round steps from zero to just below `most`. */
function ticksTo(most: number): number[] {
  if (most <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => most / size <= 4.9) ?? power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** Colors of the most-used models, and one for all others. Each appears next to a name. None is the color of requests. */
const COLOR_CLASSES = ["m-code", "m-build", "m-debug", "m-orchestrator", "m-coordinator"];

export const SERIES: number = COLOR_CLASSES.length + 1;

/** The CSS class for the color of a model with this rank. */
export const seriesColorClass = (rank: number): string => COLOR_CLASSES[rank] ?? "m-configuration";

/** The last `count` days up to today, oldest first, as `2026-01-31` in local time. */
export function lastDays(count: number, now: number): string[] {
  const today = new Date(now);
  return Array.from({ length: count }, (_, i) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - i)).toLocaleDateString("en-CA"),
  );
}

/** `21 Nov` */
export const shortDay = (day: string): string => formatDate(day, "short");

/** `21 November` */
export const longDay = (day: string): string => formatDate(day, "long");

const formatDate = (day: string, month: "short" | "long"): string =>
  new Date(`${day}T00:00`).toLocaleDateString("en-GB", { day: "numeric", month });
