import { expect, test } from "vitest";
import { hunkSides, applyHunksToText, revertHunks } from "./apply-hunks-to-text.ts";

const before = "one\ntwo\nthree\nfour\nfive\n";
const after = "one\nTWO\nthree\nfour\nand a half\nfive\n";
const hunks = [
  { oldStart: 1, newStart: 1, lines: [" one", "-two", "+TWO", " three"] },
  { oldStart: 4, newStart: 4, lines: [" four", "+and a half", " five"] },
];

test("hunks convert the old text to the new one, and back", () => {
  expect(applyHunksToText(before, hunks)).toBe(after);
  expect(revertHunks(after, hunks)).toBe(before);
});

test("hunks without carriage returns fit a text with them, and hunks with them fit it exactly", () => {
  const dos = before.replaceAll("\n", "\r\n");
  expect(applyHunksToText(dos, hunks)).toBe(after);
  expect(applyHunksToText("one\r\ntwo\n", [{ oldStart: 1, newStart: 1, lines: ["-one\r", "+one", " two"] }])).toBe("one\ntwo\n");
});

test("a text that the hunks do not belong to gives no result", () => {
  expect(applyHunksToText(before.replace("two", "too"), hunks)).toBeUndefined();
  expect(revertHunks(before, hunks)).toBeUndefined();
});

test("a new file is created from an empty text, and reverts to it", () => {
  const created = [{ oldStart: 0, newStart: 1, lines: ["+one", "+two"] }];
  expect(applyHunksToText("", created)).toBe("one\ntwo\n");
  expect(revertHunks("one\ntwo\n", created)).toBe("");
});

test("added lines are inserted after the line that they name", () => {
  expect(applyHunksToText("a\nb\n", [{ oldStart: 1, newStart: 2, lines: ["+x"] }])).toBe("a\nx\nb\n");
});

test("without the text, both sides consist of the lines in the hunks", () => {
  expect(hunkSides(hunks)).toEqual({ before: "one\ntwo\nthree\n⋯\nfour\nfive", after: "one\nTWO\nthree\n⋯\nfour\nand a half\nfive" });
});
