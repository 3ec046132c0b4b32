import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startRequestTimeout } from "./request-timeout.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => startRequestTimeout({ silent: 60, most: 200 }, () => performance.now());

test("a request ends after a silence, later if the server reports progress, and in any case at its limit", () => {
  const silent = open();
  vi.advanceTimersByTime(59);
  expect(silent.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(silent.signal.aborted).toBe(true);
  const spoken = open();
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(49);
    spoken.again();
  }
  expect(spoken.signal.aborted).toBe(false);
  vi.advanceTimersByTime(4);
  expect(spoken.signal.aborted).toBe(true);
});

test("time in which Baton waits for the user does not count", async () => {
  const patience = open();
  vi.advanceTimersByTime(50);
  const answer = Promise.withResolvers<string>();
  const asked = patience.during(() => answer.promise);
  vi.advanceTimersByTime(100_000);
  patience.again();
  expect(patience.signal.aborted).toBe(false);
  answer.resolve("yes");
  expect(await asked).toBe("yes");
  vi.advanceTimersByTime(59);
  expect(patience.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(patience.signal.aborted).toBe(true);
});
