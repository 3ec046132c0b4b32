import { expect, test } from "vitest";
import { retryText } from "./retry-text.ts";

test.each([
  [{ retryAt: 4_000, tries: { made: 2, most: 10 } }, "Retrying in 4 s (attempt 3 of 10)"],
  [{ retryAt: 300_000, tries: { made: 9, most: 10 } }, "Retrying in 5 min (attempt 10 of 10)"],
  [{ retryAt: 0, tries: { made: 1, most: 3 } }, "Retrying now (attempt 2 of 3)"],
  [{ retryAt: 1_000 }, "Retrying in 1 s"],
  [{ tries: { made: 10, most: 10 } }, ""],
])("%j is %s", (failure, text) => expect(retryText(failure, 0)).toBe(text));
