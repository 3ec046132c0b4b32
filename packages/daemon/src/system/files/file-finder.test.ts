import { expect, test } from "vitest";
import { findFiles, openFileFinder } from "./file-finder.ts";

const files = ["README.md", "src/CompletionView.tsx", "src/main.ts", "packages/web/src/client/compose.ts", "docs/compose.md"];

test.each([
  ["readme", "README.md"],
  ["cmpv", "src/CompletionView.tsx"],
  ["web compose", "packages/web/src/client/compose.ts"],
  ["src/main", "src/main.ts"],
])("%s finds %s first", (query, first) => expect(findFiles(files, query)[0]).toBe(first));

test("nothing is found for a name that no file has", () => expect(findFiles(files, "zzz")).toEqual([]));

test("if very many files match, those whose name begins with the text come first, shorter names before longer ones", () => {
  const many = Array.from({ length: 5_000 }, (_, i) => `component/x${i}/file-${i}.ts`);
  const found = findFiles([...many, "deep/in/a/folder/component-list.ts", "component.ts"], "component");
  expect(found.slice(0, 2)).toEqual(["component.ts", "deep/in/a/folder/component-list.ts"]);
  expect(found).toHaveLength(50);
});

test("an old list still answers while a new one is made in the background", async () => {
  let [time, lists] = [0, 0];
  const finder = openFileFinder({ now: () => time, list: () => Promise.resolve([`file-${++lists}.ts`]) });
  expect(await finder.find("/w", "file")).toEqual(["file-1.ts"]);
  expect(await finder.find("/w", "file")).toEqual(["file-1.ts"]);
  time = 10_000;
  expect(await finder.find("/w", "file")).toEqual(["file-1.ts"]);
  expect(await finder.find("/w", "file")).toEqual(["file-2.ts"]);
  expect(lists).toBe(2);
});

test("a workspace that cannot be listed has no files, and the next search tries again", async () => {
  let isReadable = false;
  const finder = openFileFinder({ now: () => 0, list: () => Promise.resolve(isReadable ? ["a.ts"] : undefined) });
  expect(await finder.find("/w", "a")).toEqual([]);
  isReadable = true;
  expect(await finder.find("/w", "a")).toEqual(["a.ts"]);
});

test("files of the session's other folders are found with absolute paths, and no folder hides the others", async () => {
  const folders: Record<string, string[]> = {
    "/w": ["one.ts", "two.ts", "library/three.ts"],
    "/home/library": ["one.ts", "src/only-here.ts"],
    "/w/library": ["three.ts"],
  };
  const finder = openFileFinder({ now: () => 0, list: (folder) => Promise.resolve(folders[folder]) });
  const find = (query: string) => finder.find("/w", query, ["/home/library", "/w/library"]);
  expect((await find("one")).slice(0, 2)).toEqual(["one.ts", "/home/library/one.ts"]);
  expect(await find("only")).toEqual(["/home/library/src/only-here.ts"]);
  expect(await find("/home/library/src/on")).toEqual(["/home/library/src/only-here.ts"]);
  expect(await find("library/three")).toEqual(["library/three.ts"]);
  expect(await find("")).toEqual(["one.ts", "/home/library/one.ts", "two.ts", "/home/library/src/only-here.ts", "library/three.ts"]);
});
