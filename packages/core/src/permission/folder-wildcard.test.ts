import { expect, test } from "vitest";
import { matchStaysInFolder } from "./folder-wildcard.ts";

test.each([
  ["./scripts/*", "./scripts/build.sh --all", true],
  ["./scripts/*", "./scripts/../other.sh", false],
  ["./scripts/*", "./scripts/a/../../other.sh", false],
  ["scripts/*.sh", "scripts/../other.sh", false],
  ["node scripts/*", "node scripts/build.js --out ../dist", true],
  ["node scripts/*", "node scripts/../other.js", false],
  ["npm test *", "npm test -- ../a/../b", true],
  ["cat a..b/*", "cat a..b/c", true],
])("with the rule %s the text %s stays in the folder: %s", (pattern, text, stays) => expect(matchStaysInFolder(pattern, text)).toBe(stays));
