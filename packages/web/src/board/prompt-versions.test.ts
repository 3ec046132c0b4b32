import type { SessionRow } from "@baton/core/session/session-list";
import { expect, test } from "vitest";
import type { Place } from "../store/data/place-folders.ts";
import { versionsOf } from "./prompt-versions.ts";

test("a version is a place of the group with its newest session, and subtasks do not count", () => {
  const place = (name: string, createdAt: number, group?: string) => ({ name, root: `/places/${name}`, createdAt, group }) as Place; // the fields that versions read
  const row = (id: string, workspace: string, createdAt: number, parentId: string | null = null) =>
    ({ id, workspace, createdAt, parentId }) as SessionRow;
  const places = [place("b", 2, "try"), place("a", 1, "try"), place("c", 3, "other"), place("d", 4), place("e", 5, "try")];
  const rows = [row("s1", "/places/a", 1), row("s2", "/places/a/src", 2), row("s2.1", "/places/a", 3, "s2"), row("s3", "/places/b", 1)];
  expect(versionsOf("try", rows, places).map((version) => [version.place.name, version.row?.id])).toEqual([
    ["a", "s2"],
    ["b", "s3"],
    ["e", undefined],
  ]);
});
