import { expect, test } from "vitest";
import { formatMention, problemText } from "./format-mention.ts";

const lines = (start: number, end: number, character = 1) => ({ isEmpty: false, start: { line: start }, end: { line: end, character } });

test("a mention of a file includes the selected lines, counted from 1", () => {
  expect(formatMention("src/a.ts")).toBe("@src/a.ts");
  expect(formatMention("src/a.ts", { ...lines(3, 3), isEmpty: true })).toBe("@src/a.ts");
  expect(formatMention("src/a.ts", lines(2, 8))).toBe("@src/a.ts:3-9");
  expect(formatMention("src/a.ts", lines(2, 2))).toBe("@src/a.ts:3");
});

test("a selection that ends before the first character of a line does not include that line", () => {
  expect(formatMention("a.ts", lines(0, 2, 0))).toBe("@a.ts:1-2");
  expect(formatMention("a.ts", lines(0, 1, 0))).toBe("@a.ts:1");
});

test("a path with a space is quoted", () => {
  expect(formatMention("my file.ts", lines(0, 0))).toBe('@"my file.ts":1');
});

test("a problem is one line with its position and its source", () => {
  expect(problemText("a.ts", { message: "Not\n  assignable.", line: 4, source: "ts", code: "2322" })).toBe(
    "@a.ts:5: Not assignable. (ts 2322)",
  );
  expect(problemText("a.ts", { message: "Odd.", line: 0 })).toBe("@a.ts:1: Odd.");
});
