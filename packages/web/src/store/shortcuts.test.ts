import { expect, test } from "vitest";
import { shortcutFor } from "./shortcuts.ts";

const press = (key: string, more = {}, after?: string) =>
  shortcutFor({ key, ctrlKey: false, altKey: false, metaKey: false, ...more }, after);

test("digits answer by position", () => {
  expect(press("1")).toEqual({ do: "answer", nth: 0 });
  expect(press("9")).toEqual({ do: "answer", nth: 8 });
  expect(press("0")).toBeUndefined();
});

test("Enter and the space bar mean nothing by themselves", () => {
  expect([press("Enter"), press(" "), press("y"), press("a")]).toEqual([undefined, undefined, undefined, undefined]);
});

test("with Ctrl, Alt or Meta a key belongs to the browser", () => {
  expect(press("1", { ctrlKey: true })).toBeUndefined();
  expect(press("1", { altKey: true })).toBeUndefined();
  expect(press("j", { metaKey: true })).toBeUndefined();
});

test("G takes a second key", () => {
  expect(press("g")).toEqual({ do: "pending" });
  expect(press("i", {}, "g")).toEqual({ do: "inbox" });
  expect(press("s", {}, "g")).toEqual({ do: "search" });
  expect(press("i")).toBeUndefined();
});
