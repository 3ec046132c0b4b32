import { expect, test } from "vitest";
import { chunkText } from "./chunk-text.ts";

test("a text is split into consecutive pieces, and an empty text into one", () => {
  expect(chunkText("abcde", 2)).toEqual([
    { from: 0, text: "ab", last: false },
    { from: 2, text: "cd", last: false },
    { from: 4, text: "e", last: true },
  ]);
  expect(chunkText("abcd", 2).map(({ last }) => last)).toEqual([false, true]);
  expect(chunkText("")).toEqual([{ from: 0, text: "", last: true }]);
});
