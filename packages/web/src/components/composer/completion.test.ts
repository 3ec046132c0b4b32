import { expect, test } from "vitest";
import { applyCompletion, matchMentions, completionAt } from "./use-completions.tsx";

test("@ suggests files at the start of a word, and / suggests commands at the start of the text", () => {
  expect(completionAt("look at @src/b", 14)).toEqual({ kind: "file", start: 8, typed: "src/b" });
  expect(completionAt("mail me@home", 12)).toBeUndefined();
  expect(completionAt("/mo", 3)).toEqual({ kind: "command", start: 0, typed: "mo" });
  expect(completionAt("see /mo", 7)).toBeUndefined();
  expect(completionAt("/mode plan", 10)).toBeUndefined();
});

test("the chosen suggestion replaces the typed text", () => {
  expect(applyCompletion("see @sr now", 7, { kind: "file", start: 4, typed: "sr" }, "@src/a.ts")).toEqual({
    text: "see @src/a.ts  now",
    cursor: 14,
  });
});

test("a mention from an editor is suggested by its text or by its kind", () => {
  const mentions = [
    { text: "@src/App.ts:3-9", about: "selection" },
    { text: "@src/App.ts", about: "open in the editor" },
  ];
  expect(matchMentions("", mentions)).toEqual(mentions);
  expect(matchMentions("app.ts:", mentions)).toEqual([mentions[0]]);
  expect(matchMentions("sel", mentions)).toEqual([mentions[0]]);
  expect(matchMentions("other", mentions)).toEqual([]);
});
