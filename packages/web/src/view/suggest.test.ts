import { expect, test } from "vitest";
import { completed, wantedAt } from "./suggest.ts";

test("@ asks for a file where a word begins, / for a command where the text begins", () => {
  expect(wantedAt("look at @src/b", 14)).toEqual({ kind: "file", start: 8, typed: "src/b" });
  expect(wantedAt("mail me@home", 12)).toBeUndefined();
  expect(wantedAt("/mo", 3)).toEqual({ kind: "command", start: 0, typed: "mo" });
  expect(wantedAt("see /mo", 7)).toBeUndefined();
  expect(wantedAt("/mode plan", 10)).toBeUndefined();
});

test("what is taken stands in place of what was typed", () => {
  expect(completed("see @sr now", 7, { kind: "file", start: 4, typed: "sr" }, "@src/a.ts")).toEqual({
    text: "see @src/a.ts  now",
    cursor: 14,
  });
});
