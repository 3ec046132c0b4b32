import { expect, test } from "vitest";
import type { EditedFile } from "../store/data/edited-files.ts";
import { sharedFilesText } from "./shared-files.ts";

const edited = (file: string, ...titles: string[]): EditedFile => ({
  file,
  sessions: titles.map((title) => ({ id: title as EditedFile["sessions"][number]["id"], title, path: file, at: 1 })),
});

test("one shared file is named, and several files are counted with all other sessions", () => {
  expect(sharedFilesText("one", [edited("/app/own.ts", "one")])).toBe("");
  const shared = [edited("/app/own.ts", "one"), edited("/app/a.ts", "one", "two")];
  expect(sharedFilesText("one", shared)).toBe("a.ts also changed by two");
  expect(sharedFilesText("one", [...shared, edited("/app/b.ts", "three", "one", "two")])).toBe("2 files also changed by two, three");
});
