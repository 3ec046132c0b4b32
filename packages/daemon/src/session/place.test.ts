import { expect, test } from "vitest";
import { openPlaces } from "./place.ts";

const never = new AbortController().signal;

test("who waits is let in by priority, then in the order of coming", async () => {
  const places = openPlaces(() => 1);
  const leave = await places.enter("low", never);
  const order: string[] = [];
  const enter = async (name: string, priority: "low" | "medium" | "urgent") => {
    const out = await places.enter(priority, never);
    order.push(name);
    out();
  };
  const all = [enter("a", "low"), enter("b", "medium"), enter("c", "urgent"), enter("d", "medium")];
  leave();
  leave(); // leaving twice frees one place
  await Promise.all(all);
  expect(order).toEqual(["c", "b", "d", "a"]);
});

test("who stops waiting takes no place", async () => {
  const places = openPlaces(() => 1);
  const leave = await places.enter("low", never);
  const abort = new AbortController();
  const gone = places.enter("urgent", abort.signal);
  abort.abort(new Error("not wanted any more"));
  await expect(gone).rejects.toThrow("not wanted any more");
  leave();
  (await places.enter("low", never))();
});
