import { expect, test } from "vitest";
import { style as fixtureStyle } from "../../test/support/render-fixtures.ts";
import type { Key } from "./input/key-decoder.ts";
import { Picker } from "./picker.ts";

const key = (name: string, rest: Partial<Key> = {}): Key => ({ name, text: "", ctrl: false, alt: false, shift: false, ...rest });
const type = (picker: Picker<number>, text: string) =>
  text.split("").forEach((letter) => picker.press(key("char", { text: letter }), undefined));
const style = fixtureStyle(80, "plain");
const items = Array.from({ length: 30 }, (_, i) => ({ label: `model-${i}`, detail: i % 2 === 0 ? "free" : "$3", value: i }));

function open(alternative = false) {
  const picked: string[] = [];
  const picker = new Picker<number>({
    title: "Models",
    items,
    onPick: (value) => picked.push(`pick ${value}`),
    ...(alternative ? { alternative: { label: "also", onPick: (value: number) => picked.push(`also ${value}`) } } : {}),
  });
  return { picker, picked };
}

test("typing filters by every word, in labels and details", () => {
  const { picker, picked } = open();
  type(picker, "free 12");
  expect(picker.lines(style, 5)).toEqual(["Models", "  › model-12  free", expect.stringContaining("1 of 30") as string]);
  expect(picker.press(key("enter"), undefined)).toBe(false);
  expect(picked).toEqual(["pick 12"]);
});

test("Up from the first item reaches the last one, and Down comes back", () => {
  const { picker, picked } = open();
  picker.press(key("up"), undefined);
  expect(picker.lines(style, 5).some((line) => line.includes("› model-29"))).toBe(true);
  picker.press(key("down"), undefined);
  picker.press(key("enter"), undefined);
  expect(picked).toEqual(["pick 0"]);
});

test("Enter does nothing while nothing matches, and Esc closes without a choice", () => {
  const { picker, picked } = open();
  type(picker, "none of them");
  expect(picker.press(key("enter"), undefined)).toBe(true);
  expect(picker.lines(style, 5)[1]).toContain("nothing matches");
  expect(picker.press(key("escape"), undefined)).toBe(false);
  expect(picked).toEqual([]);
});

test("Alt+Enter takes the alternative", () => {
  const { picker, picked } = open(true);
  picker.press(key("enter", { alt: true }), undefined);
  expect(picked).toEqual(["also 0"]);
});
