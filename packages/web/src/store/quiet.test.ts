import { expect, test } from "vitest";
import { becomesNow, QUIET_MS, quiet, stands, takesAnswer, typedElsewhere } from "./quiet.ts";

const standing = (at: number) => {
  const state = quiet();
  stands(state, "a", at);
  becomesNow(state, "a", at);
  return state;
};

test("a request takes nothing before it has stood for a moment", () => {
  expect(takesAnswer(standing(0), "a", "key", QUIET_MS - 1)).toBe(false);
  expect(takesAnswer(standing(0), "a", "click", QUIET_MS - 1)).toBe(false);
  expect(takesAnswer(standing(0), "a", "key", QUIET_MS)).toBe(true);
});

test("an answer that comes too early begins the wait anew", () => {
  const state = standing(0);
  expect(takesAnswer(state, "a", "key", 300)).toBe(false);
  expect(takesAnswer(state, "a", "key", 300 + QUIET_MS - 1)).toBe(false);
  expect(takesAnswer(state, "a", "key", 699 + QUIET_MS)).toBe(true);
});

test("typing elsewhere holds off keys and clicks", () => {
  const state = standing(0);
  typedElsewhere(state, 1_000);
  expect(takesAnswer(state, "a", "click", 1_100)).toBe(false);
  expect(takesAnswer(state, "a", "key", 1_100 + QUIET_MS)).toBe(true);
});

test("a digit is only for the one that is now; a click is for the one that it is on", () => {
  const state = standing(0);
  stands(state, "b", 0);
  expect(takesAnswer(state, "b", "click", 5_000)).toBe(true);
  expect(takesAnswer(state, "b", "key", 5_000)).toBe(false);
  becomesNow(state, "b", 6_000);
  expect(takesAnswer(state, "b", "key", 6_100)).toBe(false);
  expect(takesAnswer(state, "b", "key", 6_100 + QUIET_MS)).toBe(true);
});
