import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Parses an option that takes a date: `2026-11-24`, `2026-11-24T15:00` (both in this computer's time zone) or an age such as `12h`, `7d` or
 * `2w`. Returns epoch milliseconds.
 */
export function parseDate(text: string): number {
  const [, number, unit = ""] = /^(\d{1,4})([hdw])$/.exec(text.trim()) ?? [];
  if (number !== undefined) return Date.now() - Number(number) * (UNITS[unit] ?? Number.NaN);
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text.trim());
  // A date without a time would be read as UTC.
  const at = isDate ? Date.parse(text.includes("T") ? text.trim() : `${text.trim()}T00:00`) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError("It must be a date such as 2026-11-24 or an age such as 12h, 7d or 2w.");
  return at;
}
