import { expect, test } from "vitest";
import {
  INPUT_DELAY_MS,
  acceptsInput,
  newInputGuard,
  remainingDelay,
  noteRequestFocused,
  noteRequestShown,
  noteOtherKey,
} from "./request-input-guard.ts";

const shown = (at: number) => {
  const state = newInputGuard();
  noteRequestShown(state, "a", at);
  noteRequestFocused(state, "a", at);
  return state;
};

test("a request accepts nothing before it has been visible for a moment", () => {
  expect(acceptsInput(shown(0), "a", "key", INPUT_DELAY_MS - 1)).toBe(false);
  expect(acceptsInput(shown(0), "a", "click", INPUT_DELAY_MS - 1)).toBe(false);
  expect(acceptsInput(shown(0), "a", "key", INPUT_DELAY_MS)).toBe(true);
});

test("input that comes too early starts the delay again", () => {
  const state = shown(0);
  expect(acceptsInput(state, "a", "key", 300)).toBe(false);
  expect(acceptsInput(state, "a", "key", 300 + INPUT_DELAY_MS - 1)).toBe(false);
  expect(acceptsInput(state, "a", "key", 699 + INPUT_DELAY_MS)).toBe(true);
});

test("typing elsewhere delays keys and clicks", () => {
  const state = shown(0);
  noteOtherKey(state, 1_000);
  expect(acceptsInput(state, "a", "click", 1_100)).toBe(false);
  expect(acceptsInput(state, "a", "key", 1_100 + INPUT_DELAY_MS)).toBe(true);
});

test("a key answers the focused request, and a click answers the request under it", () => {
  const state = shown(0);
  noteRequestShown(state, "b", 0);
  expect(acceptsInput(state, "b", "click", 5_000)).toBe(true);
  expect(acceptsInput(state, "b", "key", 5_000)).toBe(false);
  noteRequestFocused(state, "b", 6_000);
  expect(acceptsInput(state, "b", "key", 6_100)).toBe(false);
  expect(acceptsInput(state, "b", "key", 6_100 + INPUT_DELAY_MS)).toBe(true);
});

test("the remaining delay counts from the last event", () => {
  const guard = shown(0);
  expect(remainingDelay(guard, "a", "key", 100)).toBe(INPUT_DELAY_MS - 100);
  noteOtherKey(guard, 200);
  expect(remainingDelay(guard, "a", "key", 300)).toBe(INPUT_DELAY_MS - 100);
  expect(remainingDelay(guard, "a", "key", 200 + INPUT_DELAY_MS)).toBe(0);
});
