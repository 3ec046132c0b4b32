import { expect, test } from "vitest";
import { keyActionNames, keyActions, type KeyAction } from "./key-actions.ts";
import { defaultBindings, findKeyProblems, keyBindings } from "./key-bindings.ts";
import { keyLabel, keyName, parseKeyName } from "./key-name.ts";

test("every default key exists and belongs to one action", () => {
  for (const action of keyActionNames) {
    expect(keyActions[action].keys.filter((key) => parseKeyName(key) === undefined)).toEqual([]);
    expect(findKeyProblems({ [action]: keyActions[action].keys })).toEqual([]);
  }
});

test("every spelling of a key that a terminal may use finds its action", () => {
  const actionOf = (key: Parameters<typeof keyName>[0]): KeyAction | undefined => defaultBindings.actionOf(key);
  expect(actionOf({ name: "g", ctrl: true })).toBe("inbox");
  expect(actionOf({ name: "tab", shift: true })).toBe("nextMode");
  expect(actionOf({ name: "enter", ctrl: true })).toBe("newLine");
  expect(actionOf({ name: "j", ctrl: true })).toBe("newLine");
  expect(actionOf({ name: "h", ctrl: true })).toBe("deleteLeft");
  expect(actionOf({ name: "m", ctrl: true })).toBe("send");
  expect(actionOf({ name: "g" })).toBeUndefined();
});

test("a setting replaces all default keys of its action", () => {
  const { actionOf, keysOf, label } = keyBindings({ inbox: ["alt+i", "F5"], transcript: [] });
  expect(actionOf({ name: "i", alt: true })).toBe("inbox");
  expect(actionOf({ name: "f5" })).toBe("inbox");
  expect(actionOf({ name: "g", ctrl: true })).toBeUndefined();
  expect(keysOf("transcript")).toEqual([]);
  expect([label("inbox"), label("transcript"), label("send")]).toEqual(["Alt+I", undefined, "Enter"]);
});

test("two actions may exchange their keys", () => {
  expect(findKeyProblems({ send: "ctrl+j", newLine: "enter" })).toEqual([]);
  expect(keyBindings({ send: "ctrl+j", newLine: "enter" }).actionOf({ name: "enter" })).toBe("newLine");
});

test("a key of two actions is a problem of the action that the user set", () => {
  expect(findKeyProblems({ inbox: ["alt+i", "ctrl+r"] })).toEqual([
    { path: ["inbox", 1], message: "Ctrl+R is by default the key of searchHistory, too. Give searchHistory another key, or none with []." },
  ]);
  expect(findKeyProblems({ inbox: "f2", transcript: "F2" }).map(({ path }) => path)).toEqual([["inbox"], ["transcript"]]);
});

test.each(["x", "?", "shift+a", "space", "hyper+a", "ctrl+", "ctrl+nothing", ""])("%j is not a key for an action", (key) => {
  expect(findKeyProblems({ inbox: key })).toMatchObject([
    { path: ["inbox"], message: expect.stringContaining(JSON.stringify(key)) as unknown },
  ]);
});

test("the terminal always keeps the keys that it needs", () => {
  expect(findKeyProblems({ send: [], cancel: [], leave: [], inbox: [] }).map(({ path }) => path)).toEqual([
    ["send"],
    ["cancel"],
    ["leave"],
  ]);
});

test("keys have names and labels", () => {
  expect(keyName({ name: "E", alt: true })).toBe("alt+shift+e");
  expect(keyName({ name: "`", ctrl: true })).toBe(parseKeyName("Ctrl+Space"));
  expect(parseKeyName("shift+ALT+Left")).toBe("alt+shift+left");
  expect(keyLabel("alt+shift+left")).toBe("Alt+Shift+Left");
  expect(keyLabel("ctrl++")).toBe("Ctrl++");
  expect(parseKeyName("ctrl++")).toBe("ctrl++");
});
