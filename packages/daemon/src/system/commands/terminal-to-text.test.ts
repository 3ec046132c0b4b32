import { expect, test } from "vitest";
import { foldLines, stripSequences, type Cleaner } from "./terminal-to-text.ts";

const through = (make: (emit: (text: string) => void) => Cleaner, chunks: string[]): string => {
  let text = "";
  const cleaner = make((more) => (text += more));
  for (const chunk of chunks) cleaner.push(chunk);
  cleaner.end();
  return text;
};

const coloured = "\x1b[1;31mred\x1b[0m \x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b(B\x1bM \x07ü\tend\n";

test("colours, titles, links and bells are removed, and text stays", () => {
  expect(through(stripSequences, [coloured])).toBe("red xlink ü\tend\n");
});

test("it does not matter where the chunks are cut", () => {
  expect(through(stripSequences, coloured.split(""))).toBe("red xlink ü\tend\n");
});

test("the result does not depend on where the chunks are cut", () => {
  const text = through(stripSequences, ["\x1b]0;", ...Array.from({ length: 50 }, () => "x".repeat(100))]);
  expect(text.length).toBeGreaterThan(4_000);
});

test("only the last state of a progress display stays", () => {
  expect(through(foldLines, ["start\n 1%\r 50%\r100%\ndone\n"])).toBe("start\n100%\ndone\n");
  expect(through(foldLines, "start\n 1%\r 50%\r100%\ndone".split(""))).toBe("start\n100%\ndone");
});

test("Windows line ends count as line ends", () => {
  expect(through(foldLines, ["a\r", "\nb\r\n"])).toBe("a\nb\n");
});

test("a last line that was only cleared keeps its text", () => {
  expect(through(foldLines, ["100%\r"])).toBe("100%");
});

test("a line without an end is passed on in parts", () => {
  expect(
    through(
      foldLines,
      Array.from({ length: 1_000 }, () => "x".repeat(100)),
    ),
  ).toBe("x".repeat(100_000));
});
