import { renameSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { findExcerpts } from "./find-excerpts.ts";

test("a folder that has become a link since the index was made shows nothing of its target", async () => {
  using folder = new Folder();
  await folder.write("work/src/key", "old secret\n");
  await folder.write("keys/key", "new secret\n");
  const options = { root: folder.at("work"), words: new Map([["secret", 1]]), parse: async () => [], most: 10 };
  const shown = async () =>
    (await findExcerpts([{ path: "src/key", score: 1 }], options)).flatMap(({ excerpts }) => excerpts.flatMap(({ lines }) => lines));
  expect(await shown()).toEqual(["old secret"]);
  renameSync(folder.at("work/src"), folder.at("work/moved"));
  symlinkSync(folder.at("keys"), folder.at("work/src"));
  expect(await shown()).toEqual([]);
});
