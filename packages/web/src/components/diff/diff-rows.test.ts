import { expect, test } from "vitest";
import { diffRows, firstRows, interleave, pairs } from "./diff-rows.ts";

const hunk = { oldStart: 10, newStart: 10, lines: [" same", "-let a = one;", "-gone", "+let a = two;", " end"] };

test("removed lines count in the old file, and all others in the new one", () => {
  expect(diffRows(hunk).map(({ sign, number }) => `${sign}${number}`)).toEqual([" 10", "-11", "-12", "+11", " 12"]);
});

test("if two lines differ in one word, that word is marked", () => {
  const [, removed, , added] = diffRows(hunk);
  expect(removed && removed.text.slice(removed.from, removed.to)).toBe("one");
  expect(added && added.text.slice(added.from, added.to)).toBe("two");
});

test("lines without common parts are not marked", () => {
  const [a, b] = diffRows({ oldStart: 1, newStart: 1, lines: ["-alpha", "+omega"] });
  expect([a?.to, b?.to]).toEqual([0, 0]);
});

test("side by side, a line without a counterpart has an empty side", () => {
  expect(pairs(diffRows(hunk)).map(({ left, right }) => [left?.text, right?.text])).toEqual([
    ["same", "same"],
    ["let a = one;", "let a = two;"],
    ["gone", undefined],
    ["end", "end"],
  ]);
});

test("the first rows of a rewrite show added as well as removed lines, even if their numbers differ a lot", () => {
  const counted = (rows: readonly (readonly { sign: string }[])[]) =>
    [" ", "-", "+"].map((sign) => rows.flat().filter((row) => row.sign === sign).length);
  const rewrite = (removed: number, added: number, same = 0) => {
    const lines = [" ", "-", "+"].flatMap((sign, i) =>
      Array.from({ length: [same, removed, added][i] ?? 0 }, (_, n) => `${sign}line ${n}`),
    );
    return [diffRows({ oldStart: 1, newStart: 1, lines })];
  };
  expect(counted(firstRows(rewrite(5_000, 5_000), 200))).toEqual([0, 100, 100]);
  expect(counted(firstRows(rewrite(5_000, 5_000, 51), 200))).toEqual([51, 75, 74]);
  expect(counted(firstRows(rewrite(5_000, 3), 200))).toEqual([0, 197, 3]);
  expect(counted(firstRows(rewrite(3, 5_000), 200))).toEqual([0, 3, 197]);
  expect(counted(firstRows(rewrite(5_000, 0), 200))).toEqual([0, 200, 0]);
  expect(counted(firstRows(rewrite(90, 90, 20), 200))).toEqual([20, 90, 90]);
  expect(counted(firstRows([...rewrite(150, 150), ...rewrite(10, 10)], 200))).toEqual([0, 100, 100]);
});

test("a long replacement alternates between removed and added lines, and a short one and its surroundings stay", () => {
  const lines = [" a", "-1", "-2", "-3", "+4", "+5", "+6", "+7", " b"];
  const texts = (size: number) => interleave(diffRows({ oldStart: 1, newStart: 1, lines }), size).map(({ text }) => text);
  expect(texts(2)).toEqual(["a", "1", "2", "4", "5", "3", "6", "7", "b"]);
  expect(texts(9)).toEqual(["a", "1", "2", "3", "4", "5", "6", "7", "b"]);
});

test("after an added line, the two files have different line numbers", () => {
  const rows = diffRows({ oldStart: 1, newStart: 1, lines: ["+new", " same"] });
  expect(rows.map(({ oldNumber, number }) => [oldNumber, number])).toEqual([
    [1, 1],
    [1, 2],
  ]);
});
