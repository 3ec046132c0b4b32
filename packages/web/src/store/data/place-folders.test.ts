import { expect, test } from "vitest";
import { recentFolders, type Place } from "./place-folders.ts";

const place = { name: "fix", root: "/places/app-1/fix", checkout: "/code/app" } as Place; // the fields that the function reads

test("recent folders name the source of a place once", () => {
  const rows = [
    { workspace: "/code/app", updatedAt: 1 },
    { workspace: "/places/app-1/fix", updatedAt: 3 },
    { workspace: "/code/other", updatedAt: 2 },
  ];
  expect(recentFolders(rows, [place])).toEqual(["/code/app", "/code/other"]);
});
