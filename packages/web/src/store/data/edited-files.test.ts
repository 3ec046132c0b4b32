import { expect, test } from "vitest";
import { filesBySession, otherEditors, type EditedFile } from "./edited-files.ts";

const editor = (id: string, path: string) => ({ id: id as EditedFile["sessions"][number]["id"], title: id, path, at: 1 });
const files: EditedFile[] = [
  { file: "/code/app/src/a.ts", sessions: [editor("one", "src/a.ts"), editor("two", "a.ts")] },
  { file: "/places/fix/src/a.ts", sessions: [editor("three", "src/a.ts")] },
];

test("the other editors of a file are those of the same file on disk", () => {
  expect(otherEditors(files, "one", "src/a.ts").map(({ id }) => id)).toEqual(["two"]);
  expect(otherEditors(files, "two.1", "a.ts").map(({ id }) => id)).toEqual(["one"]);
  expect(otherEditors(files, "three", "src/a.ts")).toEqual([]);
  expect(otherEditors(files, "one", "src/b.ts")).toEqual([]);
});

test("each session has its own files", () => {
  expect(filesBySession(files).get("two")).toEqual([files[0]]);
  expect(filesBySession(files).get("four")).toBeUndefined();
});
