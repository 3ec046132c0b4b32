import { expect, test } from "vitest";
import { closestMatch } from "./closest-match.ts";

test.each([
  ["modle", ["model", "modes"], "model"],
  ["permisions", ["permissions", "providers"], "permissions"],
  ["pathh", ["path", "content"], "path"],
  ["file_path", ["path", "content"], "path"],
  ["oldText", ["old_text", "new_text"], "old_text"],
  ["zebra", ["path", "content"], undefined],
  ["x", [], undefined],
])("for %s, %j is meant as %s", (name, candidates, meant) => expect(closestMatch(name, candidates)).toBe(meant));
