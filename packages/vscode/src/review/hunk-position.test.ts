import { expect, test } from "vitest";
import { countChangedLines, hunkKey, locateHunk } from "./hunk-position.ts";

const at = (text: string) => (line: number) => text.split("\n")[line];

test("a replacement has its added lines in the file, and its removed lines before them", () => {
  const hunk = { oldStart: 1, newStart: 1, lines: [" a", "-b", "-c", "+B", " d", "+e", " f", "-g", " h"] };
  const place = locateHunk(hunk, at("a\nB\nd\ne\nf\nh\n"));
  expect(place).toEqual({
    line: 1,
    count: 4,
    added: [
      { line: 1, count: 1 },
      { line: 3, count: 1 },
    ],
    removed: [
      { line: 1, lines: ["b", "c"] },
      { line: 5, lines: ["g"] },
    ],
  });
  expect(place && countChangedLines(place)).toEqual({ added: 2, removed: 3 });
});

test("removed lines alone are at the line that follows them", () =>
  expect(locateHunk({ oldStart: 1, newStart: 1, lines: [" a", "-b", " c"] }, at("a\nc\n"))).toEqual({
    line: 1,
    count: 0,
    added: [],
    removed: [{ line: 1, lines: ["b"] }],
  }));

test("the hunk has no position in a file with other lines there", () => {
  const hunk = { oldStart: 1, newStart: 1, lines: [" a", "-b", "+B"] };
  expect(locateHunk(hunk, at("a\nmine\n"))).toBeUndefined();
  expect(locateHunk(hunk, at("a"))).toBeUndefined();
  expect(locateHunk({ oldStart: 1, newStart: 1, lines: ["-a\r", "+A\r"] }, at("A"))).toBeDefined(); // mixed line ends
});

test("a hunk stays the same if other hunks move it, and is another one if its lines differ", () => {
  const hunk = { oldStart: 4, newStart: 4, lines: ["-a", "+b"] };
  expect(hunkKey("a.ts", { ...hunk, oldStart: 4, newStart: 9 })).toBe(hunkKey("a.ts", hunk));
  expect(hunkKey("a.ts", { ...hunk, lines: ["-a", "+c"] })).not.toBe(hunkKey("a.ts", hunk));
});
