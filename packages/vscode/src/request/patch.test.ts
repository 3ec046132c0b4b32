import { expect, test } from "vitest";
import { fragments, patched, unpatched } from "./patch.ts";

const before = "one\ntwo\nthree\nfour\nfive\n";
const after = "one\nTWO\nthree\nfour\nand a half\nfive\n";
const hunks = [
  { oldStart: 1, newStart: 1, lines: [" one", "-two", "+TWO", " three"] },
  { oldStart: 4, newStart: 4, lines: [" four", "+and a half", " five"] },
];

test("hunks lead from the text before to the text after, and back", () => {
  expect(patched(before, hunks)).toBe(after);
  expect(unpatched(after, hunks)).toBe(before);
});

test("hunks without returns fit a text that has them; those with returns fit it as it is", () => {
  const dos = before.replaceAll("\n", "\r\n");
  expect(patched(dos, hunks)).toBe(after);
  expect(patched("one\r\ntwo\n", [{ oldStart: 1, newStart: 1, lines: ["-one\r", "+one", " two"] }])).toBe("one\ntwo\n");
});

test("a text that is not the one the hunks were made of gives nothing", () => {
  expect(patched(before.replace("two", "too"), hunks)).toBeUndefined();
  expect(unpatched(before, hunks)).toBeUndefined();
});

test("a new file comes from nothing and goes back to it", () => {
  const created = [{ oldStart: 0, newStart: 1, lines: ["+one", "+two"] }];
  expect(patched("", created)).toBe("one\ntwo\n");
  expect(unpatched("one\ntwo\n", created)).toBe("");
});

test("lines that only come in stand behind the line they name", () => {
  expect(patched("a\nb\n", [{ oldStart: 1, newStart: 2, lines: ["+x"] }])).toBe("a\nx\nb\n");
});

test("without the text both sides are what the hunks show", () => {
  expect(fragments(hunks)).toEqual({ before: "one\ntwo\nthree\n⋯\nfour\nfive", after: "one\nTWO\nthree\n⋯\nfour\nand a half\nfive" });
});
