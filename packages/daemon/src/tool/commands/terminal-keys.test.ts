import { expect, test } from "vitest";
import { keyBytes, typedBytes } from "./terminal-keys.ts";
import { visibleInput } from "./visible-input.ts";

test.each([
  ["enter", "\r"],
  ["Ctrl-C", "\u0003"],
  ["ctrl+d", "\u0004"],
  ["C-x", "\u0018"],
  ["ESC", "\u001b"],
  ["arrow_up", "\u001b[A"],
  ["PageDown", "\u001b[6~"],
  ["shift-tab", "\u001b[Z"],
  ["alt-b", "\u001bb"],
  ["ctrl-[", "\u001b"],
  ["f99", undefined],
  ["constructor", undefined],
  ["", undefined],
])("the key %s is %j", (name, bytes) => {
  expect(keyBytes(name)).toBe(bytes);
});

test("text comes first, and a line end is the Enter key", () => {
  expect(typedBytes({ text: "a\nb\r\n", keys: ["tab", "up"] })).toEqual({ bytes: "a\rb\r\t\u001b[A" });
  expect(typedBytes({ text: "a", keys: ["enter", "bogus"] })).toEqual({ unknownKey: "bogus" });
});

test("no input that reaches the program is invisible in a request", () => {
  for (let code = 0; code < 0x3000; code++) {
    const character = String.fromCodePoint(code);
    const shown = visibleInput({ text: `a${character}b` });
    expect([code, shown.replaceAll(/\s/g, "") === "ab" && code !== 32 && code !== 10]).toEqual([code, false]);
  }
  expect(visibleInput({ text: "ls\u001b[A\u0003\u202e", keys: ["enter", "Ctrl-C"] })).toBe(
    "ls[escape][A[ctrl-c]\\u{202e} [enter] [ctrl-c]",
  );
});

test("text that looks like a key differs from the key", () => {
  expect(visibleInput({ text: "rm x[enter] [0] [ -f y ]", keys: ["enter"] })).toBe("rm x\\[enter] [0] [ -f y ] [enter]");
});
