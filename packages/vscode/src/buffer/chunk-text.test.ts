import { expect, test } from "vitest";
import { pieces } from "./chunk-text.ts";

test("a text goes in pieces that follow each other, an empty one in one", () => {
  expect(pieces("abcde", 2)).toEqual([
    { from: 0, text: "ab", last: false },
    { from: 2, text: "cd", last: false },
    { from: 4, text: "e", last: true },
  ]);
  expect(pieces("abcd", 2).map(({ last }) => last)).toEqual([false, true]);
  expect(pieces("")).toEqual([{ from: 0, text: "", last: true }]);
});
