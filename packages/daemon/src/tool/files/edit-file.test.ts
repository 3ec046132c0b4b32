import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

test("an edit replaces the text as its preview showed", async () => {
  await using bench = await Workbench.open({ "a.ts": "one\ntwo\nthree\n" });
  const input = { path: "a.ts", old_text: "two", new_text: "2\n2b" };
  const view = {
    type: "diff",
    path: "a.ts",
    change: "change",
    added: 2,
    removed: 1,
    hunks: [{ oldStart: 1, newStart: 1, lines: [" one", "-two", "+2", "+2b", " three"] }],
  };
  expect(await bench.preview("edit_file", input)).toEqual(view);
  expect(await bench.run("edit_file", input)).toEqual({
    outcome: "ok",
    text: "Replaced 1 place in a.ts.\nchange a.ts\n@@ 1\n one\n-two\n+2\n+2b\n three",
    view,
    end: "+2 −1",
  });
  expect(readFileSync(bench.folder.at("a.ts"), "utf8")).toBe("one\n2\n2b\nthree\n");
});

test("Baton does not ask about an impossible edit, unless reading the file would need a question", async () => {
  await using bench = await Workbench.open({ "a.ts": "one\n" });
  await bench.folder.write(".env", "KEY=1\n");
  const input = { path: "a.ts", old_text: "zebra", new_text: "x" };
  const why =
    "old_text does not appear in the file, and neither does anything similar. Read the file and copy the text exactly, without line numbers.";
  expect(await bench.beforehand("edit_file", input)).toEqual({ outcome: "failed", text: why });
  expect(await bench.beforehand("edit_file", { ...input, path: ".env" })).toBeUndefined();
  expect(await bench.beforehand("edit_file", { ...input, old_text: "one" })).toBeUndefined();
  expect(await bench.preview("edit_file", { ...input, path: ".env" })).toEqual({
    type: "text",
    text: `The edit cannot be made: ${why}`,
    format: "plain",
  });
  expect(await bench.run("edit_file", input)).toEqual({ outcome: "failed", text: why });
  expect(await bench.run("edit_file", { ...input, path: "b.ts" })).toEqual({
    outcome: "failed",
    text: "There is no b.ts. Did you mean a.ts? Use write_file to create it.",
  });
});
