/** So many days up to today, oldest first, as `2026-01-31` in this machine's time. */
export function lastDays(count: number, now: number): string[] {
  const today = new Date(now);
  return Array.from({ length: count }, (_, i) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - i)).toLocaleDateString("en-CA"),
  );
}

/** `21 Nov` */
export const shortDay = (day: string): string => said(day, "short");

/** `21 November` */
export const longDay = (day: string): string => said(day, "long");

const said = (day: string, month: "short" | "long"): string =>
  new Date(`${day}T00:00`).toLocaleDateString("en-GB", { day: "numeric", month });
