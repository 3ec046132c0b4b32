import { expect, test } from "vitest";
import { openSlots } from "./concurrency-limiter.ts";

test("a slot that becomes free is not lost to one that no longer waits", async () => {
  const slots = openSlots(1);
  const never = new AbortController().signal;
  const leave = await slots.enter(never);
  const interrupted = new AbortController();
  const first = slots.enter(interrupted.signal);
  const second = slots.enter(never);
  interrupted.abort();
  expect(await first).toBeUndefined();
  leave?.();
  expect(await Promise.race([second, new Promise((resolve) => setTimeout(() => resolve("hangs"), 100))])).toBeTypeOf("function");
});
