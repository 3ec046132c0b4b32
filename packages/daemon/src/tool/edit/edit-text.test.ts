import { expect, test } from "vitest";
import { editText } from "./edit-text.ts";

const replace = (text: string, old: string, now = "new", all = false) => editText(text, { old, now, all });

const faultOf = (edited: ReturnType<typeof editText>): string => ("fault" in edited ? edited.fault : "");

test("a text that occurs once is replaced literally", () => {
  expect(replace("a $& b", "$&", "$1")).toEqual({ text: "a $1 b", count: 1, ignored: [] });
});

test("a text that occurs several times is replaced only if the call asks for all", () => {
  expect(replace("x\ny\nx\n", "x")).toEqual({
    fault: "old_text appears 2 times in the file (lines 1, 3). Add surrounding lines until it is unique, or set replace_all.",
  });
  expect(replace("x\ny\nx\n", "x", "z", true)).toEqual({ text: "z\ny\nz\n", count: 2, ignored: [] });
});

test("a file keeps its Windows line ends", () => {
  expect(replace("a\r\nb\r\nc\r\n", "a\nb", "1\n2\n3")).toEqual({ text: "1\r\n2\r\n3\r\nc\r\n", count: 1, ignored: [] });
});

test("an edit that changes nothing is an error", () => {
  expect(replace("a", "a", "a")).toEqual({ fault: "old_text and new_text are identical, so nothing would change." });
});

test("a text with other indentation is replaced with the indentation of the file", () => {
  expect(replace("function f() {\n\treturn 1;\n}\n", "function f() {\n  return 1;\n}\n", "function f() {\n  return 2;\n}\n")).toEqual({
    text: "function f() {\n\treturn 2;\n}\n",
    count: 1,
    ignored: ["indentation"],
  });
});

test("if one line of a text is wrong, the error shows the most similar lines", () => {
  expect(faultOf(replace("a();\nb();\nc();\nd();\n", "b();\nx();\nd();"))).toContain("2\tb();\n3\tc();\n4\td();");
});

test("if a part of a line is similar, the error shows that line", () => {
  expect(faultOf(replace("x\nconst total = 1;\ny\n", "const  total = 1"))).toContain("2\tconst total = 1;");
});

test("a large file is searched within a moment", () => {
  const line = "const x = 1;\n";
  const began = performance.now();
  replace(line.repeat(50_000), `${line.repeat(50)}const y = 2;\n`);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("a text at many places of a long file is refused quickly, even if only its indentation differs", () => {
  const began = performance.now();
  expect(
    faultOf(replace("{\n    return 1;\n}\n".repeat(20_000), "      return 1;\n", "      return {\n          a: 1,\n      };\n")),
  ).toContain("old_text appears 20000 times");
  expect(performance.now() - began).toBeLessThan(20_000);
});
