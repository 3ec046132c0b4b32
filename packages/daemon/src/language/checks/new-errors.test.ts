import { expect, test } from "vitest";
import { newErrors, type FileError } from "./new-errors.ts";

const error = (line: number, message: string, code = "1"): FileError => ({ line, column: 1, message, code, source: "ts" });
const lines = (...all: string[]): string => all.join("\n");

test("an error on a line that the edit shifted is not new", () => {
  const before = { text: lines("a", "bad", "c"), errors: [error(2, "x")] };
  const after = { text: lines("new", "new", "a", "bad", "c"), errors: [error(4, "x")] };
  expect(newErrors(before, after)).toEqual([]);
});

test("an error between two changes is not new, and one beside it is", () => {
  const before = { text: lines("a", "b", "bad", "d", "e"), errors: [error(3, "x")] };
  const after = { text: lines("A", "A2", "b", "bad", "d", "E"), errors: [error(4, "x"), error(6, "x")] };
  expect(newErrors(before, after)).toEqual([error(6, "x")]);
});

test("an error that moves with its line is not new", () => {
  const before = { text: lines("bad", "b", "c", "d"), errors: [error(1, "x")] };
  const after = { text: lines("b", "c", "d", "bad"), errors: [error(4, "x")] };
  expect(newErrors(before, after)).toEqual([]);
});

test("an error whose text changes on an unchanged line is not new", () => {
  const text = lines("a", "bad");
  expect(newErrors({ text, errors: [error(2, "is A")] }, { text, errors: [error(2, "is B")] })).toEqual([]);
});

test("another kind of error on the line of a known one is new", () => {
  const text = lines("a", "bad");
  const after = { text, errors: [error(2, "x"), error(2, "y", "2")] };
  expect(newErrors({ text, errors: [error(2, "x")] }, after)).toEqual([error(2, "y", "2")]);
});

test("an error that was corrected in one place and made in another is new", () => {
  const before = { text: lines("use(a)", "b", "c"), errors: [error(1, "x")] };
  const after = { text: lines("use(a)", "b", "use(c)"), errors: [error(3, "x")] };
  expect(newErrors(before, after)).toEqual([error(3, "x")]);
});

test("errors of a file that did not change are compared by their lines", () => {
  expect(newErrors({ errors: [error(7, "x")] }, { errors: [error(7, "x"), error(9, "y")] })).toEqual([error(9, "y")]);
});

test("a new file has only new errors, each once and in order", () => {
  expect(newErrors({ errors: [] }, { text: "a\nb\nc", errors: [error(3, "x"), error(1, "y"), error(3, "x")] })).toEqual([
    error(1, "y"),
    error(3, "x"),
  ]);
});

test("line ends do not matter", () => {
  const before = { text: "a\r\nbad\r\n", errors: [error(2, "x")] };
  expect(newErrors(before, { text: "a\nnew\nbad\n", errors: [error(3, "x")] })).toEqual([]);
});

test("an edit of a file with 50,000 lines is compared quickly", () => {
  const old = Array.from({ length: 50_000 }, (_, i) => `line ${i}`);
  const now = old.toSpliced(20_000, 1, "changed", "inserted");
  const began = performance.now();
  const found = newErrors(
    { text: old.join("\n"), errors: [error(100, "x"), error(49_000, "x")] },
    { text: now.join("\n"), errors: [error(100, "x"), error(49_001, "x"), error(20_001, "y")] },
  );
  expect(found).toEqual([error(20_001, "y")]);
  expect(performance.now() - began).toBeLessThan(1_000);
});
