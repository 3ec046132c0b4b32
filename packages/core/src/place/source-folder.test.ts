import { expect, test } from "vitest";
import { placeOf, sourceFolder } from "./source-folder.ts";

const place = { root: "/places/app-1/fix", checkout: "/code/app" };

test("a folder belongs to the place whose root contains it, and not to a place whose name only starts alike", () => {
  expect(placeOf([place], "/places/app-1/fix")).toBe(place);
  expect(placeOf([place], "/places/app-1/fix/packages/a")).toBe(place);
  expect(placeOf([place], "/places/app-1/fix-2")).toBeUndefined();
  const onWindows = { root: "C:\\places\\fix", checkout: "C:\\code" };
  expect(placeOf([onWindows], "C:\\places\\fix\\src")).toBe(onWindows);
});

test("a session in a place is listed under the corresponding folder of the source, even in a place of a place", () => {
  const inner = { root: "/places/fix-2/inner", checkout: "/places/app-1/fix" };
  expect(sourceFolder([place], "/places/app-1/fix/packages/a")).toBe("/code/app/packages/a");
  expect(sourceFolder([place, inner], "/places/fix-2/inner/src")).toBe("/code/app/src");
  expect(sourceFolder([place], "/code/other")).toBe("/code/other");
});
