import { expect, test } from "vitest";
import { matchesWildcard } from "./wildcard.ts";

test.each([
  ["*", "", true],
  ["*", "a/b\nc", true],
  ["a*c", "abbc", true],
  ["a*c", "abbcd", false],
  ["src/*", "src/a/b.ts", true],
  ["src/*", "src", false],
  ["?.ts", "a.ts", true],
  ["?.ts", "ab.ts", false],
  ["git status *", "git status", true],
  ["git status *", "git status -s", true],
  ["git status *", "git statusx", false],
  ["a.b", "axb", false],
  ["[ab]", "a", false],
  ["*.env", "x/.env", true],
  ["a*b*c", "a-b-b-c", true],
  ["**/*.lock", "yarn.lock", true],
  ["**/*.lock", "sub/yarn.lock", true],
  ["**/*.lock", "yarn.locks", false],
])("%s with the pattern %j is %s", (pattern, text, matches) => expect(matchesWildcard(pattern, text)).toBe(matches));

test("a pattern that takes exponential time in other matchers gets an answer", () =>
  expect(matchesWildcard("*a".repeat(50) + "b", "a".repeat(5_000))).toBe(false));
