import { expect, test } from "vitest";
import { openConcurrencyLimit } from "./concurrency-limit.ts";

const never = new AbortController().signal;

test("the highest priority goes first, then the task that has waited longest", async () => {
  const limit = openConcurrencyLimit(() => 1);
  const release = await limit.enter("a", "low", never);
  const order: string[] = [];
  const enter = async (name: string, priority: "low" | "medium" | "urgent") => {
    const done = await limit.enter("a", priority, never);
    order.push(name);
    done();
  };
  const all = [enter("a", "low"), enter("b", "medium"), enter("c", "urgent"), enter("d", "medium")];
  release();
  release(); // releasing twice frees one slot
  await Promise.all(all);
  expect(order).toEqual(["c", "b", "d", "a"]);
});

test("a task that stops waiting takes no slot", async () => {
  const limit = openConcurrencyLimit(() => 1);
  const release = await limit.enter("a", "low", never);
  const abort = new AbortController();
  const gone = limit.enter("a", "urgent", abort.signal);
  abort.abort(new Error("not wanted any more"));
  await expect(gone).rejects.toThrow("not wanted any more");
  release();
  (await limit.enter("a", "low", never))();
});

test("a group without free slots does not delay other groups", async () => {
  const limit = openConcurrencyLimit(() => 1);
  const groups = Array.from({ length: 10 }, (_, i) => `g${i}`);
  const all = await Promise.all(groups.map((group) => limit.enter(group, "medium", never)));
  const next = groups.map((group) => limit.enter(group, "medium", never));
  for (const release of all.toReversed()) release();
  for (const release of await Promise.all(next)) release();
});
