import { expect, test } from "vitest";
import { coloredLine } from "./sanitize-colored-line.ts";

const colored = (text: string, columns = 80) => coloredLine(text, columns, { withColors: true });

test("colors stay and end with the line", () => {
  expect(colored("\u001b[31mred\u001b[0m plain")).toBe("\u001b[31mred\u001b[0m plain\u001b[0m");
  expect(colored("\u001b[38;2;1;2;3mrich \u001b[4:3mwave")).toBe("\u001b[38;2;1;2;3mrich \u001b[4:3mwave\u001b[0m");
  expect(coloredLine("\u001b[31mred", 80, { withColors: false })).toBe("red");
});

test.each([
  ["\u001b[2J\u001b[Hclear", "clear"],
  ["\u001b]0;title\u0007text", "text"],
  ["\u001b]52;c;c2VjcmV0\u001b\\text", "text"],
  ["a\rb\u0008c\u0007", "a bc"],
  ["\u001b[1;5Hx\u001b[?25l", "x"],
  ["\u009b2Jx\u202ey", "xy"],
  ["\u001b[31", ""],
  ["\u001bPq\u001b\\z", "z"],
])("%j does not move the cursor and does not write anything else", (text, shown) => {
  expect(colored(text)).toBe(shown);
});

test("a long line is cut at its visible width, and colors do not count", () => {
  expect(colored("\u001b[1mabcdef\u001b[22mghi", 4)).toBe("\u001b[1mabcd\u001b[22m\u001b[0m");
  expect(colored("宽宽宽", 5)).toBe("宽宽");
});
