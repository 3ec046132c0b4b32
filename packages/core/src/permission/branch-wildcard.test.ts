import { expect, test } from "vitest";
import { matchStaysOnBranch } from "./branch-wildcard.ts";

test.each([
  ["git push origin dev*", "git push origin dev"],
  ["git push origin dev*", "git push origin dev-2 --force-with-lease"],
  ["git push -u origin feat/*", "git push -u origin feat/a"],
  ["git push origin*", "git push origin dev main"],
  ["git push origin *", "git push origin dev:main"],
  ["git push *", "git push origin dev:main"],
  ["git push origin HEAD:*", "git push origin HEAD:main"],
  ["make dev*", "make dev main"],
  ["git push -u origin o*", "git push -u origin o1"],
])("%s reaches %s", (pattern, text) => {
  expect(matchStaysOnBranch(pattern, text)).toBe(true);
});

test.each([
  ["git push origin dev*", "git push origin dev:main"],
  ["git push origin dev*", "git push origin dev main"],
  ["git push origin dev*", "git push origin dev +main"],
  ["git push -u origin o*", "git push -u origin o1:main"],
  ["git push -u origin feat/*", "git push -u origin feat/a:main"],
  ["git push origin -f d*", "git push origin -f d :main"],
])("%s does not reach the other branch of %s", (pattern, text) => {
  expect(matchStaysOnBranch(pattern, text)).toBe(false);
});
