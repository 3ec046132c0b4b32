/** The day of a time (epoch milliseconds), where this machine is: `2026-01-31`. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
