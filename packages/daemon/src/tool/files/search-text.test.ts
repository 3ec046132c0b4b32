import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

test("matches are grouped by file, with the number of matches and files", async () => {
  await using bench = await Workbench.open({ "a.ts": "x\n  needle();\nneedle\n", "b.md": "a needle\n", "c.env": "needle\n" });
  expect(await bench.run("search_text", { pattern: "needle" })).toEqual({
    outcome: "ok",
    text: "a.ts\n  2: needle();\n  3: needle\nb.md\n  1: a needle",
    end: "3 in 2 files",
    view: {
      type: "files",
      files: [
        { path: "a.ts", line: 2, note: "needle();" },
        { path: "a.ts", line: 3, note: "needle" },
        { path: "b.md", line: 1, note: "a needle" },
      ],
    },
  });
  expect(await bench.run("search_text", { pattern: "needle", glob: "*.md" })).toMatchObject({ end: "1 in 1 file" });
});

test("only a part of many matches is shown", async () => {
  await using bench = await Workbench.open({ "a.ts": "needle\n".repeat(300) });
  const { text, end } = await bench.run("search_text", { pattern: "needle" });
  expect([text.split("\n").length, text.split("\n").at(-1), end]).toEqual([
    202,
    "(200 of 300 matches; narrow it down by path, glob or pattern)",
    "300 in 1 file",
  ]);
});

test("lines around the matches keep their indentation, and gaps between them are marked", async () => {
  await using bench = await Workbench.open({ "a.ts": "one\n  two\n  needle\nfour\nfive\nsix\nneedle\n", "b.md": "needle\nx\n" });
  const { text, end, view } = await bench.run("search_text", { pattern: "needle", context: 1 });
  expect([text, end]).toEqual([
    "a.ts\n  2-   two\n  3:   needle\n  4- four\n  --\n  6- six\n  7: needle\nb.md\n  1: needle\n  2- x",
    "3 in 2 files",
  ]);
  expect(view).toMatchObject({ files: [{ line: 3 }, { line: 7 }, { path: "b.md", line: 1 }] });
});

test("with many lines around the matches fewer matches are shown", async () => {
  await using bench = await Workbench.open({ "a.ts": "needle\nx\ny\nz\n".repeat(200) });
  const { text } = await bench.run("search_text", { pattern: "needle", context: 2 });
  expect([text.split("\n").length, text.split("\n").at(-1)]).toEqual([
    602,
    "(150 of 200 matches; narrow it down by path, glob or pattern)",
  ]);
});

test("a search without matches is not a failure, and an invalid pattern is", async () => {
  await using bench = await Workbench.open({ "a.ts": "x\n" });
  expect(await bench.run("search_text", { pattern: "needle", glob: "*.ts" })).toEqual({
    outcome: "ok",
    text: "No match for needle in . in files *.ts. Files that you may not read are not searched.",
    end: "none",
  });
  expect(await bench.run("search_text", { pattern: "(" })).toMatchObject({ outcome: "failed" });
});

test("a result does not tell whether a pattern matches a file that the agent may not read", async () => {
  await using bench = await Workbench.open({ "a.ts": "x\n", "c.env": "KEY=secret\n" });
  const textFor = async (pattern: string) => (await bench.run("search_text", { pattern })).text.replace(pattern, "");
  expect(await textFor("KEY=s")).toBe(await textFor("KEY=t"));
  expect(await textFor("x|KEY=s")).toBe(await textFor("x|KEY=t"));
});

test.each(["nope", "src/nope", "a.txt/b"])("%s does not exist, so nothing is said about matches", async (path) => {
  await using bench = await Workbench.open({ "a.txt": "x", "src/b.txt": "x" });
  const { outcome, text } = await bench.run("search_text", { pattern: "x", path });
  expect([outcome, text]).toEqual(["failed", expect.stringMatching(/^(There is no|A part of the path) /)]);
});

test("a search does not tell whether a file exists that the agent may not read", async () => {
  await using bench = await Workbench.open({ "c.env": "x" });
  const textFor = async (path: string) => (await bench.run("search_text", { pattern: "needle", path })).text.replace(path, "");
  expect(await textFor("c.env")).toBe(await textFor("d.env"));
});
