import { expect, test } from "vitest";
import { applyTextEdits } from "./text-edits.ts";

const edit = (line: number, from: number, to: number, newText: string, last = line) => ({
  range: { start: { line, character: from }, end: { line: last, character: to } },
  newText,
});

test.each(["\n", "\r\n", "\r"])("edits apply in any order and keep the line ends %j", (end) => {
  const text = ["one two", "three 🚀 four", ""].join(end);
  const edits = [edit(0, 4, 7, "TWO"), edit(1, 9, 13, "FOUR"), edit(0, 0, 3, "ONE"), edit(2, 0, 0, "five")];
  const expected = ["ONE TWO", "three 🚀 FOUR", "five"].join(end);
  for (const order of [edits, edits.toReversed(), [...edits.slice(2), ...edits.slice(0, 2)]])
    expect(applyTextEdits(text, order)).toBe(expected);
  expect(applyTextEdits(text, [edit(0, 3, 5, " ", 1)])).toBe(["one  🚀 four", ""].join(end));
});

test("a place beyond the end of a line or of the text means that end", () => {
  expect(applyTextEdits("a\nb", [edit(0, 99, 99, "!"), edit(1, 99, 0, "?", 2)])).toBe("a!\nb?");
  expect(applyTextEdits("", [edit(0, 0, 0, "a")])).toBe("a");
});

test("edits that overlap, run backwards or are outside of the text are not applied", () => {
  const wrong = [[edit(0, 0, 2, "x"), edit(0, 1, 3, "y")], [edit(0, 2, 1, "x")], [edit(3, 0, 0, "x")], [edit(0, 0, 0, "x", 9)]];
  expect(wrong.map((edits) => applyTextEdits("abc\n", edits))).toEqual(wrong.map(() => undefined));
  expect(applyTextEdits("abc\n", [edit(0, 0, 1, "x"), edit(0, 1, 2, "y")])).toBe("xyc\n");
});
