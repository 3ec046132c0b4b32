import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };

/** Parses an option that takes a duration, such as `90s`, `10m` or `1.5h`. A number alone counts seconds. Returns milliseconds. */
export function parseDuration(text: string): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const milliseconds = Number(number) * (UNITS[(unit || "s").toLowerCase()] ?? Number.NaN);
  if (!(milliseconds > 0)) throw new InvalidArgumentError("It must be a duration such as 90s, 10m or 1h.");
  return Math.round(milliseconds);
}
