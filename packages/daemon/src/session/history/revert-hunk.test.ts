import { expect, test } from "vitest";
import { diffView } from "../../tool/files/diff/diff.ts";
import { revertHunk } from "./revert-hunk.ts";

const lines = (...changed: [number, string][]) =>
  Array.from({ length: 30 }, (_, i) => `${new Map(changed).get(i + 1) ?? `line ${i + 1}`}\n`).join("");

/** The text after the hunk with this index was undone. */
function restored(before: string, after: string, index = 0): string {
  const { hunks, lineEnds } = diffView("a.txt", before, after);
  const hunk = hunks[index];
  if (!hunk) throw new Error(`there are only ${hunks.length} hunks`);
  return revertHunk({ before, after, hunk, lineEnds });
}

test("one hunk is undone, and the others stay", () => {
  const before = lines();
  const after = lines([2, "two"], [15, "fifteen\nand a half"], [29, "last but one"]);
  expect(restored(before, after, 0)).toBe(lines([15, "fifteen\nand a half"], [29, "last but one"]));
  expect(restored(before, after, 1)).toBe(lines([2, "two"], [29, "last but one"]));
  expect(restored(before, after, 2)).toBe(lines([2, "two"], [15, "fifteen\nand a half"]));
});

test.each([
  ["only additions", "a\nb\n", "a\nx\nb\n"],
  ["only removals", "a\nx\nb\n", "a\nb\n"],
  ["an empty file that got lines", "", "a\nb\n"],
  ["a file that lost all its lines", "a\nb\n", ""],
  ["a last line without an end", "a\nb", "a\nc\nd\n"],
  ["an end of the last line", "a\nb", "a\nb\n"],
  ["CRLF in both", "a\r\nb\r\n", "a\r\nc\r\n"],
  ["mixed line ends", "a\r\nb\nc\n", "a\r\nB\nc\n"],
  ["nothing in common", "a\nb\nc\n", "x\ny\n"],
])("the only hunk of a change leads back to the text before: %s", (_, before, after) => expect(restored(before, after)).toBe(before));

test("restored lines have the line ends that the file has now", () => expect(restored("a\nb\n", "a\r\nc\r\n")).toBe("a\r\nb\r\n"));
