import { expect, test } from "vitest";
import { chunkText } from "./chunk-text.ts";

test("a text goes in pieces that follow each other, an empty one in one", () => {
  expect(chunkText("abcde", 2)).toEqual([
    { from: 0, text: "ab", last: false },
    { from: 2, text: "cd", last: false },
    { from: 4, text: "e", last: true },
  ]);
  expect(chunkText("abcd", 2).map(({ last }) => last)).toEqual([false, true]);
  expect(chunkText("")).toEqual([{ from: 0, text: "", last: true }]);
});
