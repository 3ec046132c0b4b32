import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { pathGate } from "../../permission/path.ts";
import { openFileSearch } from "./search.ts";

const { signal } = new AbortController();
const searchOf = (folder: Folder, mayRead: (relative: string) => boolean = () => true) =>
  openFileSearch({ workspace: folder.path, resolve: pathGate(folder.path), mayRead });

async function project(): Promise<Folder> {
  const folder = new Folder();
  await folder.write("src/b.ts", "let x = 1;\nlet needle = 2; // needle\n");
  await folder.write("src/a.ts", "needle\n\nneedle\n");
  await folder.write("docs/a:b.md", "a needle\n");
  await folder.write(".github/ci.yml", "needle\n");
  await folder.write(".git/config", "needle\n");
  await folder.write("node_modules/x/index.ts", "needle\n");
  await folder.write("debug.log", "needle\n");
  await folder.write("image.bin", "needle\0\n");
  await folder.write(".gitignore", "node_modules\n*.log\n");
  await folder.write(".git/HEAD", "");
  return folder;
}

test("matches are sorted by path and line, and ignored files, binary files and git's own files are left out", async () => {
  using folder = await project();
  expect(await searchOf(folder).text({ pattern: "needle" }, signal)).toEqual({
    matches: [
      { path: ".github/ci.yml", line: 1, text: "needle" },
      { path: "docs/a:b.md", line: 1, text: "a needle" },
      { path: "src/a.ts", line: 1, text: "needle" },
      { path: "src/a.ts", line: 3, text: "needle" },
      { path: "src/b.ts", line: 2, text: "let needle = 2; // needle" },
    ],
    capped: false,
  });
});

test("a glob and a folder narrow a search, and do not include ignored files", async () => {
  using folder = await project();
  const paths = async (query: { path?: string; glob?: string }) => {
    const found = await searchOf(folder).text({ pattern: "needle", ...query }, signal);
    return "fault" in found ? found : found.matches.map(({ path }) => path);
  };
  expect(await paths({ glob: "*.md" })).toEqual(["docs/a:b.md"]);
  expect(await paths({ path: "src", glob: "a.*" })).toEqual(["src/a.ts", "src/a.ts"]);
  expect(await paths({ path: "src/b.ts" })).toEqual(["src/b.ts"]);
  expect(await paths({ glob: "*.log" })).toEqual([]);
  expect(await paths({ path: "src", glob: "**/*" })).toEqual(["src/a.ts", "src/a.ts", "src/b.ts"]);
});

test("files are found by glob", async () => {
  using folder = await project();
  expect(await searchOf(folder).files({ glob: "**/*" }, signal)).toEqual({
    files: [".github/ci.yml", ".gitignore", "docs/a:b.md", "image.bin", "src/a.ts", "src/b.ts"],
    capped: false,
    leftOut: 0,
  });
  expect(await searchOf(folder).files({ glob: "src/*.ts" }, signal)).toMatchObject({ files: ["src/a.ts", "src/b.ts"] });
  expect(await searchOf(folder).files({ path: "src", glob: "{b,c}.ts" }, signal)).toMatchObject({ files: ["src/b.ts"] });
});

test("files that must not be read are left out, and counted where their text does not matter", async () => {
  using folder = await project();
  const search = searchOf(folder, (relative) => !relative.startsWith("src/"));
  expect(await search.text({ pattern: "needle", glob: "*.ts" }, signal)).toEqual({ matches: [], capped: false });
  expect(await search.files({ glob: "*.ts" }, signal)).toEqual({ files: [], capped: false, leftOut: 2 });
});

test("links are not followed", async () => {
  using folder = new Folder();
  using elsewhere = await project();
  symlinkSync(elsewhere.path, folder.at("link"));
  symlinkSync(elsewhere.at("src/a.ts"), folder.at("a.ts"));
  expect(await searchOf(folder).text({ pattern: "needle" }, signal)).toMatchObject({ matches: [] });
});

test("outside the workspace paths are absolute", async () => {
  using folder = new Folder();
  using elsewhere = await project();
  expect(await searchOf(folder).files({ path: elsewhere.at("docs") }, signal)).toMatchObject({ files: [elsewhere.at("docs/a:b.md")] });
});

test("an invalid pattern gets an error with the reason", async () => {
  using folder = await project();
  const found = await searchOf(folder).text({ pattern: "insert(" }, signal);
  expect("fault" in found && [found.fault, found.message.includes("unclosed group")]).toEqual(["bad_pattern", true]);
  expect(await searchOf(folder).text({ pattern: "--version" }, signal)).toMatchObject({ matches: [] });
});

test("a path that does not exist has no matches", async () => {
  using folder = await project();
  expect(await searchOf(folder).text({ pattern: "x", path: "a\0" }, signal)).toMatchObject({ fault: "refused" });
});

test("a very long line is cut", async () => {
  using folder = new Folder();
  await folder.write("min.js", `needle${"x".repeat(100_000)}\n`);
  const found = await searchOf(folder).text({ pattern: "needle" }, signal);
  expect("matches" in found && (found.matches[0]?.text.length ?? 0)).toBeLessThan(600);
});

test("the number of matches is limited", async () => {
  using folder = new Folder();
  await folder.write("a.txt", "needle\n".repeat(50_000));
  const found = await searchOf(folder).text({ pattern: "needle" }, signal);
  expect("matches" in found && [found.matches.length, found.capped]).toEqual([5_000, true]);
});

test("an abort ends a search at once", async () => {
  using folder = await project();
  const stop = new AbortController();
  const found = searchOf(folder).text({ pattern: "needle" }, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(found).rejects.toThrow("stopped");
});
