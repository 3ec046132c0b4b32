import { expect, test } from "vitest";
import { completed, mentionsLike, wantedAt } from "./completion.ts";

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

test("what an editor mentions is offered by its text or by what it is", () => {
  const mentions = [
    { text: "@src/App.ts:3-9", about: "selection" },
    { text: "@src/App.ts", about: "open in the editor" },
  ];
  expect(mentionsLike("", mentions)).toEqual(mentions);
  expect(mentionsLike("app.ts:", mentions)).toEqual([mentions[0]]);
  expect(mentionsLike("sel", mentions)).toEqual([mentions[0]]);
  expect(mentionsLike("other", mentions)).toEqual([]);
});
