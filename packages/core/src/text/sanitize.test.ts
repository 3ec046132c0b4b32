import { expect, test } from "vitest";
import { sanitize, escapeInvisible, oneLine, settleOutput } from "./sanitize.ts";

test("readable text keeps words, newlines and tabs", () => {
  expect(sanitize("one\n\ttwo — drei, 日本 👩‍💻")).toBe("one\n\ttwo — drei, 日本 👩‍💻");
});

test("escape sequences are removed with their content", () => {
  expect(sanitize("\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u0007 \u001b]0;title\u0007end")).toBe(
    "red link end",
  );
  expect(sanitize("\u009b2Jcleared \u0090payload\u009cafter \u001bPq#0\u001b\\sixel \u001b(Bset \u001b7saved")).toBe(
    "cleared after sixel set saved",
  );
});

test("an unterminated sequence hides no more than its line", () => {
  expect(sanitize("a\u001b]0;never ended\nnext line")).toBe("a\nnext line");
  expect(sanitize("a\u001b[")).toBe("a");
  expect(sanitize("a\u001b")).toBe("a");
});

test("control characters, direction marks and invisible characters are removed", () => {
  expect(sanitize("a\u0000b\u0008c\u202ed\u2066e\u200bf\ufeffg\u00adh\u{e0041}i")).toBe("abcdefghi");
  expect(sanitize("one\r\ntwo\rthree")).toBe("one\ntwo\nthree");
});

test("a text for approval shows every hidden character by its code point", () => {
  expect(escapeInvisible("rm \u202etxt.exe\u202c -rf\u200b /\u00a0x\u001b[2K\r")).toBe(
    "rm \\u{202e}txt.exe\\u{202c} -rf\\u{200b} /\\u{a0}x\\u{1b}[2K\\u{d}",
  );
  expect(escapeInvisible("plain\n\ttext ü")).toBe("plain\n\ttext ü");
  expect(escapeInvisible("a\u2028b\u3164c\ufe0fd\ue000")).toBe("a\\u{2028}b\\u{3164}c\\u{fe0f}d\\u{e000}");
});

test("a single line stays a single line", () => {
  expect(oneLine("  a\n b\t\tc \u001b[1md\u001b[0m ")).toBe("a b c d");
});

test("output that overwrites itself shows its final state", () => {
  expect(settleOutput("10 %\r50 %\r100 %\ndone\r\nend\r")).toBe("100 %\ndone\nend");
});
