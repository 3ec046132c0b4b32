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

test("colours, titles, links and bells go, text stays", () => {
  expect(through(stripSequences, [coloured])).toBe("red xlink ü\tend\n");
});

test("it does not matter where the chunks are cut", () => {
  expect(through(stripSequences, coloured.split(""))).toBe("red xlink ü\tend\n");
});

test("a sequence that never ends does not hold the text back for ever", () => {
  const text = through(stripSequences, ["\x1b]0;", ...Array.from({ length: 50 }, () => "x".repeat(100))]);
  expect(text.length).toBeGreaterThan(4_000);
});

test("of progress that is drawn over the last drawing stays", () => {
  expect(through(foldLines, ["start\n 1%\r 50%\r100%\ndone\n"])).toBe("start\n100%\ndone\n");
  expect(through(foldLines, "start\n 1%\r 50%\r100%\ndone".split(""))).toBe("start\n100%\ndone");
});

test("line ends of Windows are line ends", () => {
  expect(through(foldLines, ["a\r", "\nb\r\n"])).toBe("a\nb\n");
});

test("a last line that was only cleared keeps what it showed", () => {
  expect(through(foldLines, ["100%\r"])).toBe("100%");
});

test("a line without end passes in parts", () => {
  expect(
    through(
      foldLines,
      Array.from({ length: 1_000 }, () => "x".repeat(100)),
    ),
  ).toBe("x".repeat(100_000));
});
