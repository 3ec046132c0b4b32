import { expect, test } from "vitest";
import { isWide, parseRule, ruleText } from "./rule-text.ts";

const remember = { action: "command", resource: { exact: "rm *" }, effect: "allow" as const };

test("a rule that was not changed stays what it was; a changed one is a wildcard unless it stands in quotes", () => {
  expect(parseRule(ruleText(remember), remember)).toBe(remember);
  expect(parseRule("command rm a*", remember)).toEqual({ action: "command", resource: "rm a*", effect: "allow" });
  expect(parseRule('command "rm a*"', remember)).toEqual({ action: "command", resource: { exact: "rm a*" }, effect: "allow" });
  expect(parseRule("command", remember)).toBeUndefined();
});

test("what cannot be seen stands in a rule by its number", () => {
  expect(ruleText({ action: "command", resource: "ls \u202e" })).toBe("command ls \\u{202e}");
});

test("a rule is wide when its resource names nothing", () => {
  const wide = ["command *", "command **", "edit /**", "edit ./*", "fetch https://*", "* src/a.ts"];
  const narrow = ["command touch *", "edit src/**", "fetch https://example.com/*", 'command "*"', "mcp echo"];
  const isWideText = (text: string) => isWide(parseRule(text, undefined) ?? { action: "", resource: "" });
  expect(wide.filter((text) => !isWideText(text))).toEqual([]);
  expect(narrow.filter(isWideText)).toEqual([]);
});
