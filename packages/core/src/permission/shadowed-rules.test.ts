import { expect, test } from "vitest";
import type { SourcedRule } from "../protocol/rule.ts";
import { shadowedRules } from "./shadowed-rules.ts";

const rules = (...list: [string, SourcedRule["resource"], SourcedRule["effect"]][]): SourcedRule[] =>
  list.map(([action, resource, effect], i) => ({ action, resource, effect, layer: "user", source: `config.jsonc:${i + 1}` }));

const dead = (...list: Parameters<typeof rules>) => shadowedRules(rules(...list)).map(({ i, by }) => `${i + 1} by ${by.source}`);

test("a rule that a later one covers never decides", () => {
  expect(dead(["edit", "docs/*", "deny"], ["edit", "*", "allow"])).toEqual(["1 by config.jsonc:2"]);
  expect(dead(["command", "git push *", "deny"], ["command", "git *", "allow"])).toEqual(["1 by config.jsonc:2"]);
  expect(dead(["command", { exact: "git push" }, "deny"], ["*", "*", "ask"])).toEqual(["1 by config.jsonc:2"]);
});

test("a rule that still decides something is not reported", () => {
  expect(dead(["edit", "*", "ask"], ["edit", "docs/*", "allow"])).toEqual([]);
  expect(dead(["command", "git *", "ask"], ["command", "git ?", "allow"])).toEqual([]);
  expect(dead(["*", "*", "ask"], ["edit", "*", "allow"])).toEqual([]);
});
