import { expect, test } from "vitest";
import { parseDuration } from "./parse-duration.ts";

test.each([
  ["90s", 90_000],
  ["90", 90_000],
  ["10m", 600_000],
  ["1.5h", 5_400_000],
  ["250ms", 250],
])("%s is %i ms", (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds));

test.each(["", "0", "-5s", "soon", "5 days", "1e9"])("%j is not a duration", (text) =>
  expect(() => parseDuration(text)).toThrow("duration"),
);
