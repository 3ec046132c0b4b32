import type { UsageTotals } from "@baton/core/session/usage/usage-totals";
import { formatCost, formatTokens } from "@baton/core/text/format";

/** The units of the page: US dollars, or tokens in and out. */
export type Unit = "cost" | "tokens";

export const rowAmount = (unit: Unit, { cost, input, output }: UsageTotals): number => (unit === "cost" ? cost : input + output);

/** An amount with its certainty: `$1.20`, `at least $1.20`, `about 47k`. */
export function formatAmount(unit: Unit, used: UsageTotals): string {
  if (unit === "cost") return formatCost(used);
  return `${used.estimated > 0 ? "about " : ""}${formatTokens(rowAmount(unit, used))}`;
}

/** The median. It is uncertain if one of the amounts is. */
export function medianText(unit: Unit, all: readonly UsageTotals[]): string {
  const sorted = all.map((used) => rowAmount(unit, used)).toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
  const estimated = all.reduce((sum, used) => sum + used.estimated, 0);
  if (unit === "cost") return formatCost({ cost: median, unpriced: all.some(({ unpriced }) => unpriced), estimated });
  return `${estimated > 0 ? "about " : ""}${formatTokens(Math.round(median))}`;
}

/** The share of cached input, as `83 %`. */
export const cachedText = ({ input, cachedInput }: UsageTotals): string =>
  input === 0 ? "–" : `${Math.floor((100 * cachedInput) / input)} %`;
