import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { compareWords } from "../../../test/permission/words.ts";

test("bash gets exactly the words of which the gate is certain", { timeout: 120_000 }, () => {
  using folder = new Folder();
  const { certain, wrong } = compareWords(6_000, 1, folder.path);
  expect(certain).toBeGreaterThan(500);
  expect(wrong).toEqual([]);
});
