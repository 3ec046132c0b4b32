import { expect, test } from "vitest";
import { removeSetting } from "./remove-setting.ts";

const TEXT = `{
  // about the model
  "model": "a/b", /* here */
  "limits": { "cost": 5, "steps": 9 }, // dollars
  "sandbox": "on"
}
`;

test("a setting is removed with its comma and its line, and comments stay", () => {
  expect(removeSetting(TEXT, ["model"])).toBe(TEXT.replace('"model": "a/b",', ""));
  expect(removeSetting(TEXT, ["limits", "cost"])).toBe(TEXT.replace('"cost": 5,', ""));
  expect(removeSetting(TEXT, ["limits", "steps"])).toBe(TEXT.replace(', "steps": 9', " "));
});

test("removing the last setting removes the comma before it", () => {
  expect(removeSetting(TEXT, ["sandbox"])).toBe(TEXT.replace("9 },", "9 }").replace('  "sandbox": "on"\n', ""));
  expect(removeSetting('{ "a": 1 }', ["a"])).toBe("{  }");
  expect(removeSetting(TEXT, ["gone"])).toBe(TEXT);
});
