import { expect, test } from "vitest";
import { parseDate } from "./parse-date.ts";

test("a date means midnight in the local time zone", () => {
  expect(parseDate("2026-11-24")).toBe(new Date(2026, 10, 24).getTime());
  expect(parseDate("2026-11-24T15:30")).toBe(new Date(2026, 10, 24, 15, 30).getTime());
  expect(parseDate("2026-11-24T15:30:00Z")).toBe(Date.UTC(2026, 10, 24, 15, 30));
});

test("an age counts back from now", () => {
  const before = Date.now();
  const at = parseDate("2d");
  expect(at).toBeGreaterThanOrEqual(before - 2 * 86_400_000);
  expect(at).toBeLessThanOrEqual(Date.now() - 2 * 86_400_000);
});

test.each(["", "yesterday", "2026-13-01", "2026", "5", "7 days", "-3d"])("%j is refused", (text) => {
  expect(() => parseDate(text)).toThrow(/must be a date/);
});
