import { expect, test } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { DeferredReads } from "./deferred-reads.ts";

test("a read that finishes in time returns its value at once, and the next call reads again", async () => {
  const looks = new DeferredReads(systemClock, () => Promise.reject(new Error("nothing is to be decided again")));
  for (const value of [1, 2]) expect(await looks.at("a", async () => value)).toEqual({ value });
  await expect(looks.at("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test.each([2, 10])("%i reads that hang delay no decision, and each one causes a decision when it finishes", async (count) => {
  const keys = Array.from({ length: count }, (_, i) => `look ${i}`);
  const gates = new Map(keys.map((key) => [key, Promise.withResolvers<string>()]));
  const decided: string[] = [];
  const decide = async () => {
    for (const key of keys.filter((each) => !decided.includes(each))) {
      const looked = await looks.at(key, () => gates.get(key)?.promise ?? Promise.resolve(""));
      if (looked) decided.push(looked.value);
    }
  };
  const looks = new DeferredReads(systemClock, decide);
  await decide();
  expect(decided).toEqual([]);
  for (const key of keys.toReversed()) {
    gates.get(key)?.resolve(key);
    await expect.poll(() => decided.at(-1)).toBe(key);
  }
  expect(decided).toEqual(keys.toReversed());
});

test("the error of a read that hung reaches the decision that uses it", async () => {
  const gate = Promise.withResolvers<string>();
  const again = Promise.withResolvers<unknown>();
  const look = () => looks.at("a", () => gate.promise);
  const looks = new DeferredReads(systemClock, async () => again.resolve(await look().catch((error: unknown) => error)));
  expect(await look()).toBeUndefined();
  gate.reject(new Error("broken"));
  expect(await again.promise).toMatchObject({ message: "broken" });
});
