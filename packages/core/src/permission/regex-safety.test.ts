import { expect, test } from "vitest";
import { hasCatastrophicBacktracking } from "./regex-safety.ts";

test.each([
  "(a+)+$",
  "^(a+)+\\.md$",
  "(a*)*",
  "([a-z]+)*",
  "(\\w+\\s?)+x",
  "(.*a)+",
  "(a|a)*",
  "(a|ab)+",
  "((x+)y?)*",
  "(?:\\d+){2,}",
  "(\\w|a)+",
])("%s can take for ever elsewhere", (pattern) => expect(hasCatastrophicBacktracking(pattern)).toBe(true));

test.each([
  "\\.md$",
  "\\.(js|ts|tsx)$",
  "^docs/.*\\.(md|txt)$",
  "([a-z]+/)+",
  "(?:[^/]+/)*index\\.ts$",
  "(a|b)*",
  "[(+*]+",
  "\\(a+\\)+",
  ".*",
  "(foo|bar)?",
  "^(src|test)/.+\\.(spec|test)\\.[jt]sx?$",
])("%s is fine", (pattern) => expect(hasCatastrophicBacktracking(pattern)).toBe(false));
