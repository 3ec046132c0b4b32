import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

const files = {
  "src/a.ts": "",
  "src/deep/b.ts": "",
  ".git/config": "",
  "dist/x.js": "",
  ".gitignore": "dist\n",
  ".env": "",
  "README.md": "",
};

test("the list of a folder leaves out the .git folder and files that must not be read", async () => {
  await using bench = await Workbench.open(files);
  expect(await bench.run("list_files", {})).toEqual({
    outcome: "ok",
    text: ".gitignore\nREADME.md\ndist/\nsrc/\n(1 file without read permission omitted)",
    end: "4 entries",
  });
  expect(await bench.run("list_files", { path: "src" })).toMatchObject({ text: "a.ts\ndeep/", end: "2 entries" });
});

test("a recursive list leaves out ignored files and files that must not be read", async () => {
  await using bench = await Workbench.open(files);
  expect(await bench.run("list_files", { recursive: true })).toMatchObject({
    text: ".gitignore\nREADME.md\nsrc/a.ts\nsrc/deep/b.ts\n(1 file without read permission omitted)",
    end: "4 files",
  });
});

test("the error about a path that is not a folder says what to do", async () => {
  await using bench = await Workbench.open(files);
  expect(await bench.run("list_files", { path: "nope" })).toMatchObject({
    outcome: "failed",
    text: "There is no nope. Use list_files or glob to find it.",
  });
  expect(await bench.run("list_files", { path: "README.md", recursive: true })).toMatchObject({
    text: "README.md is a file. Use read_file to read it.",
  });
});
