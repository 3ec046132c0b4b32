import { expect, test } from "vitest";
import { diffView, endOfDiff } from "./diff.ts";

test("a diff shows only changes, with three lines of context", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `${i + 1}`);
  const after = lines.toSpliced(9, 1, "ten").toSpliced(24, 1);
  expect(diffView("a", `${lines.join("\n")}\n`, `${after.join("\n")}\n`)).toEqual({
    type: "diff",
    path: "a",
    change: "change",
    added: 1,
    removed: 2,
    hunks: [
      { oldStart: 7, newStart: 7, lines: [" 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"] },
      { oldStart: 22, newStart: 22, lines: [" 22", " 23", " 24", "-25", " 26", " 27", " 28"] },
    ],
  });
});

test("a missing line break at the end does not add a line", () => {
  expect(diffView("a", "one\ntwo", "one\ntwo\nthree").hunks[0]?.lines).toEqual([" one", "-two", "+two", "+three"]);
});

const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

test.each([
  ["lines that all end alike are shown without their ends", crlf("one\ntwo\n"), crlf("one\n2\n"), [" one", "-two", "+2"], undefined],
  ["only the ends change", crlf("one\ntwo\n"), "one\ntwo\n", [], { from: "CRLF", to: "LF" }],
  ["the ends change with a line", "one\ntwo\n", crlf("one\n2\n"), [" one", "-two", "+2"], { from: "LF", to: "CRLF" }],
  ["a line comes in that ends otherwise", crlf("one\n"), "one\r\ntwo\n", [" one", "+two"], { from: "CRLF", to: "mixed" }],
  ["a new file", undefined, crlf("one\n"), ["+one"], { to: "CRLF" }],
  ["a file that has both ends stays as it is", "one\r\ntwo\n", "one\ntwo\n", ["-one\r", "+one", " two"], undefined],
  ["a return inside of a line stays", "one\n", "o\rne\n", ["-one", "+o\rne"], undefined],
  ["one line has no ends to change", "one", crlf("one\ntwo\n"), ["-one", "+one", "+two"], undefined],
])("ends of lines: %s", (_, before, after, lines, lineEnds) => {
  const view = diffView("a", before, after);
  expect([view.hunks.flatMap((hunk) => hunk.lines), view.lineEnds]).toEqual([lines, lineEnds]);
});

test("a diff says so if only line ends change", () => {
  expect(endOfDiff(diffView("a", crlf("one\n"), "one\n"))).toBe("line ends change from CRLF to LF");
});

test("texts without common lines are compared within a moment", () => {
  const text = (seed: number) => Array.from({ length: 20_000 }, (_, i) => `${(i * seed) % 7919}`).join("\n");
  const began = performance.now();
  const { added, removed } = diffView("a", text(31), text(57));
  expect([added > 10_000, removed > 10_000]).toEqual([true, true]);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test.each([
  [4, 2, "+4 −2"],
  [4, 0, "+4"],
  [0, 2, "−2"],
  [0, 0, "no change"],
])("%i added and %i removed are %s", (added, removed, end) => {
  expect(endOfDiff({ type: "diff", path: "a", change: "change", added, removed, hunks: [] })).toBe(end);
});
