import { expect, test } from "vitest";
import { placeOf, recentFolders, sourceFolder, type Place } from "./places.ts";

const place = { name: "fix", root: "/places/app-1/fix", checkout: "/code/app" } as Place; // the fields that these functions read

test("a folder belongs to the place whose root it is or is below, and not to one whose name only begins alike", () => {
  expect(placeOf([place], "/places/app-1/fix")).toBe(place);
  expect(placeOf([place], "/places/app-1/fix/packages/a")).toBe(place);
  expect(placeOf([place], "/places/app-1/fix-2")).toBeUndefined();
});

test("a session in a place is listed with the corresponding folder of the source", () => {
  expect(sourceFolder([place], "/places/app-1/fix/packages/a")).toBe("/code/app/packages/a");
  expect(sourceFolder([place], "/code/other")).toBe("/code/other");
});

test("recent folders name the source of a place once", () => {
  const rows = [
    { workspace: "/code/app", updatedAt: 1 },
    { workspace: "/places/app-1/fix", updatedAt: 3 },
    { workspace: "/code/other", updatedAt: 2 },
  ];
  expect(recentFolders(rows, [place])).toEqual(["/code/app", "/code/other"]);
});
