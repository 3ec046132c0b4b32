import { defaultBindings, keyBindings } from "@baton/core/terminal/key-bindings";
import { expect, test } from "vitest";
import { inputWith, editInput, bufferRows, type InputBuffer } from "./input-buffer.ts";
import type { Key } from "./key-decoder.ts";

/** A draft whose cursor is at the bar. */
const at = (marked: string): InputBuffer => ({ text: marked.replace("|", ""), cursor: marked.indexOf("|") });
const marked = (draft: InputBuffer | undefined) => draft && `${draft.text.slice(0, draft.cursor)}|${draft.text.slice(draft.cursor)}`;
const edit = (draft: InputBuffer, key: Key, { actionOf } = defaultBindings) => editInput(draft, key, actionOf(key));
const press = (draft: string, ...keys: Key[]) => marked(keys.reduce<InputBuffer>((now, key) => edit(now, key) ?? now, at(draft)));

test("typed text is inserted at the cursor", () => {
  expect(press("ab|d", { name: "c", text: "c" })).toBe("abc|d");
  expect(press("a|b", { name: "paste", text: "1\n2" })).toBe("a1\n2|b");
});

test("the cursor moves by visible characters", () => {
  expect(press("a👩‍💻|b", { name: "left" })).toBe("a|👩‍💻b");
  expect(press("|👩‍💻b", { name: "right" })).toBe("👩‍💻|b");
  expect(press("e\u0301|", { name: "backspace" })).toBe("|");
});

test("the cursor moves by words and by lines", () => {
  expect(press("one two  |three", { name: "w", ctrl: true })).toBe("one |three");
  expect(press("one two|", { name: "left", ctrl: true })).toBe("one |two");
  expect(press("one |two x", { name: "f", alt: true })).toBe("one two| x");
  expect(press("one\ntwo| x", { name: "home" })).toBe("one\n|two x");
  expect(press("one\nt|wo\nx", { name: "e", ctrl: true })).toBe("one\ntwo|\nx");
  expect(press("one\ntwo| x", { name: "u", ctrl: true })).toBe("one\n| x");
  expect(press("on|e\ntwo", { name: "k", ctrl: true })).toBe("on|\ntwo");
  expect(press("a|b", { name: "delete" })).toBe("a|");
});

test("Shift+Enter inserts a line break, and the editor ignores Enter alone", () => {
  expect(press("a|b", { name: "enter", shift: true })).toBe("a\n|b");
  expect(edit(inputWith("a"), { name: "enter" })).toBeUndefined();
  expect(edit(inputWith("a"), { name: "escape" })).toBeUndefined();
});

test("rows break at the full width, wide characters stay whole, and the cursor is in its row", () => {
  expect(bufferRows(at("abcd|ef"), 4)).toEqual({ rows: ["abcd", "ef"], row: 1, column: 0 });
  expect(bufferRows(at("日本語|"), 5)).toEqual({ rows: ["日本", "語"], row: 1, column: 2 });
  expect(bufferRows(at("ab\n|cd"), 10)).toEqual({ rows: ["ab", "cd"], row: 1, column: 0 });
  expect(bufferRows(at("abcd|"), 4)).toEqual({ rows: ["abcd", ""], row: 1, column: 0 });
  expect(bufferRows(at("a|\n"), 10)).toEqual({ rows: ["a", ""], row: 0, column: 1 });
  expect(bufferRows(at("|"), 10)).toEqual({ rows: [""], row: 0, column: 0 });
});

test("a key runs the action that the settings bind to it, and a default key without an action does nothing", () => {
  const bindings = keyBindings({ deleteWordLeft: "alt+d" });
  expect(marked(edit(inputWith("one two"), { name: "d", alt: true }, bindings))).toBe("one |");
  expect(edit(inputWith("one two"), { name: "w", ctrl: true }, bindings)).toBeUndefined();
});

test("Ctrl+J inserts a line break, as a control character and as a key code", () => {
  expect(press("a|b", { name: "enter", ctrl: true })).toBe("a\n|b");
  expect(press("a|b", { name: "j", ctrl: true })).toBe("a\n|b");
});

test("the start of an empty first line is a valid position", () => expect(press("|\nb", { name: "home" })).toBe("|\nb"));
