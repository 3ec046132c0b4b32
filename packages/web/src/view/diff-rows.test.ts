import { expect, test } from "vitest";
import { diffRows, pairs } from "./diff-rows.ts";

const hunk = { oldStart: 10, newStart: 10, lines: [" same", "-let a = one;", "-gone", "+let a = two;", " end"] };

test("removed lines count in the old file, all others in the new one", () => {
  expect(diffRows(hunk).map(({ sign, number }) => `${sign}${number}`)).toEqual([" 10", "-11", "-12", "+11", " 12"]);
});

test("of two lines that differ in a word, the word is marked", () => {
  const [, removed, , added] = diffRows(hunk);
  expect(removed && removed.text.slice(removed.from, removed.to)).toBe("one");
  expect(added && added.text.slice(added.from, added.to)).toBe("two");
});

test("lines that have nothing in common are not marked", () => {
  const [a, b] = diffRows({ oldStart: 1, newStart: 1, lines: ["-alpha", "+omega"] });
  expect([a?.to, b?.to]).toEqual([0, 0]);
});

test("side by side a line without counterpart stands alone", () => {
  expect(pairs(diffRows(hunk)).map(({ left, right }) => [left?.text, right?.text])).toEqual([
    ["same", "same"],
    ["let a = one;", "let a = two;"],
    ["gone", undefined],
    ["end", "end"],
  ]);
});
