import { expect, test } from "vitest";
import { fullyDenied, judge } from "../permission/judge.ts";
import { stackLayers } from "../permission/rule-layers.ts";
import type { Mode } from "../protocol/mode.ts";
import type { SourcedRule } from "../protocol/rule.ts";
import { builtinMode } from "./builtin-modes.ts";
import { limitProjectMode } from "./limit-project-mode.ts";
import { missingGroupRules, rulesOfMode } from "./mode-rules.ts";

const everything: SourcedRule = { action: "*", resource: "*", effect: "allow", layer: "user", source: "test" };
const builtin = (slug: string): Mode => {
  const mode = builtinMode(slug);
  if (!mode) throw new Error(`no mode ${slug}`);
  return mode;
};
const wide = (slug: string, change: Partial<Mode> = {}): Mode => ({ ...builtin("code"), slug, ...change });
const rulesOf = (mode: Mode, user = [everything]) => stackLayers({ mode: rulesOfMode(mode), user, workspace: [], session: [] });
const effect = (mode: Mode, action: string, resource: string) => judge(rulesOf(mode), action, [{ action, resource }]).effect;
const inside = (slug: string, change: Partial<Mode> = {}) => limitProjectMode(wide(slug, change), builtin(slug));

test.each([
  ["plan", "edit", "src/a.js", "deny"],
  ["plan", "edit", ".baton/plans/a.md", "allow"],
  ["plan", "command", "npm test", "deny"],
  ["plan", "new_task", "code", "deny"],
  ["plan", "read", "src/a.js", "allow"],
  ["ask", "edit", "a.md", "deny"],
  ["ask", "command", "ls", "deny"],
  ["architect", "edit", "docs/a.md", "allow"],
  ["architect", "edit", "src/a.ts", "deny"],
  ["orchestrator", "read", "a", "deny"],
] as const)("a project's %s that has all groups: %s %s is %s", (slug, action, resource, expected) => {
  expect(effect(inside(slug).mode, action, resource)).toBe(expected);
});

test("a project can remove rights and change its texts, and neither is reported", () => {
  const { mode, lost, limited } = inside("code", { groups: ["read", { name: "edit", fileRegex: "^docs/" }], roleDefinition: "Mine." });
  expect([mode.roleDefinition, lost, limited]).toEqual(["Mine.", [], []]);
  expect([effect(mode, "edit", "docs/a"), effect(mode, "edit", "src/a"), effect(mode, "command", "ls")]).toEqual(["allow", "deny", "deny"]);
});

test("two limits of one group apply together", () => {
  const { mode, limited } = inside("architect", { groups: [{ name: "edit", fileRegex: "^docs/" }] });
  expect(limited).toEqual(["edit"]);
  expect(["docs/a.md", "docs/a.ts", "a.md"].map((file) => effect(mode, "edit", file))).toEqual(["allow", "deny", "deny"]);
});

test("groups that the other mode lacks are reported and not offered", () => {
  const { mode, lost, limited } = inside("plan", { groups: ["read", "edit", "command", "orchestrate"] });
  expect([lost, limited]).toEqual([["orchestrate"], ["edit", "command"]]);
  expect(fullyDenied(rulesOf(mode), "new_task", "new_task")).toBeDefined();
  expect(mode.groups).toEqual([
    "read",
    ...builtin("plan")
      .groups.filter((group) => typeof group === "object" && group.name !== "plan")
      .toReversed(),
  ]);
});

test("rules, paths, targets, steps and flags of the other mode apply as well, and its allow rules are not passed on", () => {
  const own = wide("clerk", {
    disallowedFilePaths: ["^private/"],
    permissions: [
      { action: "edit", resource: "*", effect: "ask" },
      { action: "command", resource: "rm *", effect: "deny" },
      { action: "fetch", resource: "*", effect: "allow" },
    ],
    tools: { deny: ["write_file"] },
    switchTargets: ["ask"],
    maxSteps: 5,
    experimentalFeatures: { enableAutoMode: true },
  });
  const { mode } = limitProjectMode(
    wide("clerk", { maxSteps: 50, experimentalFeatures: { runSlashCommand: true, enableAutoMode: true } }),
    own,
  );
  const rules = rulesOf(mode, []);
  const says = (action: string, resource: string, tool = action) => judge(rules, tool, [{ action, resource }]).effect;
  expect([says("read", "private/a"), says("edit", "a"), says("command", "rm -r x"), says("fetch", "https://a/")]).toEqual([
    "deny",
    "ask",
    "deny",
    "ask",
  ]);
  expect(says("edit", "a", "write_file")).toBe("deny");
  expect([mode.maxSteps, mode.experimentalFeatures]).toEqual([5, { enableAutoMode: true }]);
});

test("rights that a mode lacks are passed on as the stricter of the two", () => {
  const says = (mode: Mode, action: string, resource: string) =>
    judge({ rules: [everything], ceilings: [missingGroupRules(mode)] }, action, [{ action, resource }]).effect;
  const plan = inside("plan", { groups: ["read", "edit", { name: "command", commandRegex: "^npm" }] }).mode;
  expect([says(plan, "edit", "src/a"), says(plan, "edit", ".baton/plans/a.md"), says(plan, "command", "npm i")]).toEqual([
    "deny",
    "allow",
    "deny",
  ]);
  expect(says(inside("plan", { groups: ["read"] }).mode, "edit", ".baton/plans/a.md")).toBe("deny");
});
