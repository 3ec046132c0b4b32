import { mkdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

test("a new file is created with its parent folders, as its preview showed", async () => {
  await using bench = await Workbench.open();
  const input = { path: "src/a.ts", content: "one\ntwo\n" };
  const view = {
    type: "diff",
    path: "src/a.ts",
    change: "create",
    added: 2,
    removed: 0,
    hunks: [{ oldStart: 1, newStart: 1, lines: ["+one", "+two"] }],
  };
  expect(await bench.preview("write_file", input)).toEqual(view);
  expect(await bench.run("write_file", input)).toEqual({ outcome: "ok", text: "Created src/a.ts (2 lines).", view, end: "+2" });
  expect(readFileSync(bench.folder.at("src/a.ts"), "utf8")).toBe("one\ntwo\n");
});

test("replacing a file shows the changes", async () => {
  await using bench = await Workbench.open({ "a.ts": "one\ntwo\nthree\n" });
  expect(await bench.run("write_file", { path: "./a.ts", content: "one\n2\nthree\n" })).toEqual({
    outcome: "ok",
    text: "Wrote a.ts (3 lines).",
    view: {
      type: "diff",
      path: "a.ts",
      change: "change",
      added: 1,
      removed: 1,
      hunks: [{ oldStart: 1, newStart: 1, lines: [" one", "-two", "+2", " three"] }],
    },
    end: "+1 −1",
  });
});

test("a binary file can be replaced", async () => {
  await using bench = await Workbench.open({ "a.bin": new Uint8Array([0, 1]) });
  expect(await bench.preview("write_file", { path: "a.bin", content: "x\n" })).toMatchObject({ type: "text" });
  expect(await bench.run("write_file", { path: "a.bin", content: "x\n" })).toEqual({
    outcome: "ok",
    text: "Wrote a.bin (1 line).",
    end: "1 line",
  });
});

test("a folder cannot be replaced", async () => {
  await using bench = await Workbench.open();
  mkdirSync(bench.folder.at("src"));
  expect(await bench.run("write_file", { path: "src", content: "x" })).toEqual({
    outcome: "failed",
    text: "src is a folder. Use list_files to list its content.",
  });
});
