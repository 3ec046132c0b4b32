import { expect, test } from "vitest";
import { coversAllResources, parseRule, ruleText } from "./rule-text.ts";

const remember = { action: "command", resource: { exact: "rm *" }, effect: "allow" as const };

test("an unchanged rule keeps its form, and a changed one is a wildcard unless it is in quotes", () => {
  expect(parseRule(ruleText(remember), remember)).toBe(remember);
  expect(parseRule("command rm a*", remember)).toEqual({ action: "command", resource: "rm a*", effect: "allow" });
  expect(parseRule('command "rm a*"', remember)).toEqual({ action: "command", resource: { exact: "rm a*" }, effect: "allow" });
  expect(parseRule("command", remember)).toBeUndefined();
});

test("a rule shows each invisible character by its code point", () => {
  expect(ruleText({ action: "command", resource: "ls \u202e" })).toBe("command ls \\u{202e}");
});

test("a rule is wide if its resource names nothing", () => {
  const wide = ["command *", "command **", "edit /**", "edit ./*", "fetch https://*", "* src/a.ts"];
  const narrow = ["command touch *", "edit src/**", "fetch https://example.com/*", 'command "*"', "mcp echo"];
  const isWideText = (text: string) => coversAllResources(parseRule(text, undefined) ?? { action: "", resource: "" });
  expect(wide.filter((text) => !isWideText(text))).toEqual([]);
  expect(narrow.filter(isWideText)).toEqual([]);
});
