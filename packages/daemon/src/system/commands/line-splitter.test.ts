import { expect, test } from "vitest";
import { lineSplitter, type Overlong } from "./line-splitter.ts";

function cut(chunks: readonly string[], most: number): { lines: string[]; overlong: Overlong[] } {
  const lines: string[] = [];
  const overlong: Overlong[] = [];
  const push = lineSplitter({ most, onLine: (line) => lines.push(line), onOverlong: (line) => overlong.push(line) });
  for (const chunk of chunks) push(Buffer.from(chunk));
  return { lines, overlong };
}

test("lines are complete, wherever the stream was cut", () => {
  expect(cut(["a", "b\nc", "d\n\ne"], 100)).toEqual({ lines: ["ab", "cd"], overlong: [] });
});

test("characters that were cut in the middle are complete", () => {
  const lines: string[] = [];
  const push = lineSplitter({ most: 100, onLine: (line) => lines.push(line), onOverlong: () => undefined });
  for (const byte of Buffer.from("ü€\n")) push(Buffer.from([byte]));
  expect(lines).toEqual(["ü€"]);
});

test("both ends of a line that is too long are reported, and the next line is read", () => {
  const { lines, overlong } = cut([`{"id":7,${"x".repeat(50)}`, "y".repeat(20_000), '"end":1}\nnext\n'], 100);
  expect(lines).toEqual(["next"]);
  expect(overlong).toHaveLength(1);
  expect(overlong[0]).toMatchObject({ bytes: 58 + 20_000 + 8 });
  expect(overlong[0]?.head).toMatch(/^\{"id":7,x+$/);
  expect(overlong[0]?.tail).toMatch(/y"end":1\}$/);
});
