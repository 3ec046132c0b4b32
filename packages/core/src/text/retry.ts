/** When a model that failed is asked again, in epoch milliseconds, and how often it was asked. */
export type RetryInfo = { retryAt?: number | undefined; tries?: { made: number; most: number } | undefined };

/** "Retrying in 4 s (attempt 3 of 10)"; empty when the model is not asked again. */
export function retryText({ retryAt, tries }: RetryInfo, now: number): string {
  if (retryAt === undefined) return "";
  const left = Math.max(0, Math.ceil((retryAt - now) / 1_000));
  const when = left === 0 ? "now" : left < 120 ? `in ${left} s` : `in ${Math.ceil(left / 60)} min`;
  return `Retrying ${when}${tries ? ` (attempt ${tries.made + 1} of ${tries.most})` : ""}`;
}
