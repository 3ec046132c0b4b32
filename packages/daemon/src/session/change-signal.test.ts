import { expect, test } from "vitest";
import { ChangeSignal } from "./change-signal.ts";

test("one change wakes all waiters, once", async () => {
  const change = new ChangeSignal();
  const waiting = [change.next(), change.next()];
  change.wake();
  await Promise.all(waiting);
  expect(change.version).toBe(1);
  expect(await Promise.race([change.next().then(() => "woken"), Promise.resolve("asleep")])).toBe("asleep");
});

test("an abort wakes only its own waiter", async () => {
  const change = new ChangeSignal();
  const abort = new AbortController();
  const [mine, other] = [change.next(abort.signal), change.next()];
  abort.abort();
  await mine;
  await change.next(abort.signal);
  expect(await Promise.race([other.then(() => "woken"), Promise.resolve("asleep")])).toBe("asleep");
});
