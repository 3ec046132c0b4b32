import { expect, test } from "vitest";
import { shortcutFor } from "./shortcuts.ts";

const press = (key: string, more = {}, after?: string) =>
  shortcutFor({ key, ctrlKey: false, altKey: false, metaKey: false, ...more }, after);

test("a digit chooses the answer at its position", () => {
  expect(press("1")).toEqual({ do: "answer", nth: 0 });
  expect(press("9")).toEqual({ do: "answer", nth: 8 });
  expect(press("0")).toBeUndefined();
});

test("Enter and the space bar do nothing by themselves", () => {
  expect([press("Enter"), press(" "), press("y"), press("a")]).toEqual([undefined, undefined, undefined, undefined]);
});

test("a key with Ctrl, Alt or Meta belongs to the browser", () => {
  expect(press("1", { ctrlKey: true })).toBeUndefined();
  expect(press("1", { altKey: true })).toBeUndefined();
  expect(press("j", { metaKey: true })).toBeUndefined();
});

test("G waits for a second key", () => {
  expect(press("g")).toEqual({ do: "pending" });
  expect(press("i", {}, "g")).toEqual({ do: "inbox" });
  expect(press("s", {}, "g")).toEqual({ do: "search" });
  expect(press("i")).toBeUndefined();
});
