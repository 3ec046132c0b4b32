import { expect, test } from "vitest";
import { hunkKey, placeHunk } from "./hunk-place.ts";

const at = (text: string) => (line: number) => text.split("\n")[line];

test("a replacement has its added lines in the file and its removed lines beside them", () => {
  const hunk = { oldStart: 1, newStart: 1, lines: [" a", "-b", "-c", "+B", " d", "+e"] };
  expect(placeHunk(hunk, at("a\nB\nd\ne\n"))).toEqual({
    line: 1,
    count: 3,
    removed: ["b", "c"],
    added: ["B", "e"],
    runs: [
      { line: 1, count: 1 },
      { line: 3, count: 1 },
    ],
  });
});

test("removed lines alone are at the line that follows them", () =>
  expect(placeHunk({ oldStart: 1, newStart: 1, lines: [" a", "-b", " c"] }, at("a\nc\n"))).toEqual({
    line: 1,
    count: 0,
    removed: ["b"],
    added: [],
    runs: [],
  }));

test("a file that has other lines there has no place for the hunk", () => {
  const hunk = { oldStart: 1, newStart: 1, lines: [" a", "-b", "+B"] };
  expect(placeHunk(hunk, at("a\nmine\n"))).toBeUndefined();
  expect(placeHunk(hunk, at("a"))).toBeUndefined();
  expect(placeHunk({ oldStart: 1, newStart: 1, lines: ["-a\r", "+A\r"] }, at("A"))).toBeDefined(); // mixed line ends
});

test("a hunk is the same when other hunks move it, and another one when its lines differ", () => {
  const hunk = { oldStart: 4, newStart: 4, lines: ["-a", "+b"] };
  expect(hunkKey("a.ts", { ...hunk, oldStart: 4, newStart: 9 })).toBe(hunkKey("a.ts", hunk));
  expect(hunkKey("a.ts", { ...hunk, lines: ["-a", "+c"] })).not.toBe(hunkKey("a.ts", hunk));
});
