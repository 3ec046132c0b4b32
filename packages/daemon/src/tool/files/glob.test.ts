import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

test("files are found by a pattern", async () => {
  await using bench = await Workbench.open({ "src/a.test.ts": "", "src/a.ts": "", "dist/a.test.ts": "", ".gitignore": "dist\n" });
  expect(await bench.run("glob", { pattern: "**/*.test.ts" })).toEqual({
    outcome: "ok",
    text: "src/a.test.ts",
    end: "1 file",
    view: { type: "files", files: [{ path: "src/a.test.ts" }] },
  });
  expect(await bench.run("glob", { pattern: "*.go", path: "src" })).toEqual({
    outcome: "ok",
    text: "No file in src matches *.go.",
    end: "none",
  });
});

test.each(["nope", "src/nope", "a.txt/b"])("%s does not exist, so nothing is said about matches", async (path) => {
  await using bench = await Workbench.open({ "a.txt": "x", "src/b.txt": "x" });
  const { outcome, text } = await bench.run("glob", { pattern: "*", path });
  expect([outcome, text]).toEqual(["failed", expect.stringMatching(/^(There is no|A part of the path) /)]);
});
