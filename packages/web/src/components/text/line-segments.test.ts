import { expect, test } from "vitest";
import { paintLine, tokensByLine } from "./line-segments.ts";

const tokens = [
  { text: "const", kind: "keyword" },
  { text: " a = ", kind: undefined },
  { text: "12", kind: "number" },
];

test("a marked part can start and end inside tokens", () => {
  expect(paintLine("const a = 12", tokens, 8, 11)).toEqual([
    { text: "const", kind: "keyword", marked: false },
    { text: " a ", kind: undefined, marked: false },
    { text: "= ", kind: undefined, marked: true },
    { text: "1", kind: "number", marked: true },
    { text: "2", kind: "number", marked: false },
  ]);
  expect(paintLine("abc", undefined, 0, 0)).toEqual([{ text: "abc", kind: undefined, marked: false }]);
});

test("a token over several lines is part of each line", () => {
  expect(
    tokensByLine([
      { text: "/* a\n b */", kind: "comment" },
      { text: "\n\nx", kind: undefined },
    ]),
  ).toEqual([[{ text: "/* a", kind: "comment" }], [{ text: " b */", kind: "comment" }], [], [{ text: "x", kind: undefined }]]);
});
