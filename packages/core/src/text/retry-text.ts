/** When Baton calls a failed model again, in epoch milliseconds, and how many calls it made of how many. */
export type RetryInfo = { retryAt?: number | undefined; tries?: { made: number; most: number } | undefined };

/** `Retrying in 4 s (attempt 3 of 10)`. Empty if Baton does not retry. */
export function retryText({ retryAt, tries }: RetryInfo, now: number): string {
  if (retryAt === undefined) return "";
  const left = Math.max(0, Math.ceil((retryAt - now) / 1_000));
  const delay = left < 120 ? `in ${left} s` : `in ${Math.ceil(left / 60)} min`;
  const when = left === 0 ? "now" : delay;
  return `Retrying ${when}${tries ? ` (attempt ${tries.made + 1} of ${tries.most})` : ""}`;
}
