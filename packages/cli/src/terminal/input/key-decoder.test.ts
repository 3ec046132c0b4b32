import { expect, test } from "vitest";
import { keyReader, type Key } from "./key-decoder.ts";

const read = (...chunks: string[]): Key[] => {
  const reader = keyReader();
  return chunks.flatMap((chunk) => reader.read(Buffer.from(chunk)));
};

test("the decoder reads characters, also those whose bytes arrive separately", () => {
  const [first, second] = [Buffer.from("ü").subarray(0, 1), Buffer.from("ü").subarray(1)];
  const reader = keyReader();
  expect([...reader.read(first), ...reader.read(second)]).toEqual([{ name: "ü", text: "ü" }]);
});

test("the decoder knows the keys of all terminals", () => {
  expect(read("\r", "\t", "\u007f", "\u0003", "\n")).toEqual([
    { name: "enter" },
    { name: "tab" },
    { name: "backspace" },
    { name: "c", ctrl: true },
    { name: "enter", ctrl: true },
  ]);
  expect(read("\u001b[A", "\u001bOB", "\u001b[1;5C", "\u001b[H", "\u001b[3~", "\u001b[Z")).toEqual([
    { name: "up" },
    { name: "down" },
    { name: "right", ctrl: true },
    { name: "home" },
    { name: "delete" },
    { name: "tab", shift: true },
  ]);
});

test("the decoder knows every form in which terminals send Shift+Enter and Alt+Enter", () => {
  expect(read("\u001b[13;2u", "\u001b[27;2;13~")).toEqual([
    { name: "enter", shift: true },
    { name: "enter", shift: true },
  ]);
  expect(read("\u001b\r", "\u001b[13;3u")).toEqual([
    { name: "enter", alt: true },
    { name: "enter", alt: true },
  ]);
  expect(read("\u001b[27u", "\u001b[99;5u", "\u001b[97;2u")).toEqual([
    { name: "escape" },
    { name: "c", ctrl: true },
    { name: "a", text: "A" },
  ]);
});

test("a single Esc is recognised when nothing follows, and never inside a sequence", () => {
  const reader = keyReader();
  expect(reader.read("\u001b")).toEqual([]);
  expect(reader.pending()).toBe(true);
  expect(reader.flush()).toEqual([{ name: "escape" }]);
  expect([...reader.read("\u001b"), ...reader.read("[A")]).toEqual([{ name: "up" }]);
});

test("a paste is one key, whatever it contains and however it arrives", () => {
  expect(read("a\u001b[200~1\r\n", "2\u001b[A\r", "\u001b[201~b")).toEqual([
    { name: "a", text: "a" },
    { name: "paste", text: "1\n2\u001b[A\n" },
    { name: "b", text: "b" },
  ]);
});

test("an unknown sequence types nothing", () => {
  expect(read("\u001b[999;9X\u001b[?1;2c\u001bOz")).toEqual([]);
});

test("the decoder knows both forms in which terminals send function keys", () => {
  const names = (...codes: string[]) => read(...codes.map((code) => `\u001b${code}`)).map(({ name }) => name);
  expect(names("OP", "OQ", "OR", "OS")).toEqual(["f1", "f2", "f3", "f4"]);
  expect(names("[11~", "[15~", "[17~", "[24~", "[2~")).toEqual(["f1", "f5", "f6", "f12", "insert"]);
  expect(read("\u001b[1;5P", "\u001b[15;2~")).toEqual([
    { name: "f1", ctrl: true },
    { name: "f5", shift: true },
  ]);
});
