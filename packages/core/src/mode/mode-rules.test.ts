import { expect, test } from "vitest";
import { fullyDenied, judge } from "../permission/judge.ts";
import { stackLayers } from "../permission/rule-layers.ts";
import type { SourcedRule } from "../protocol/rule.ts";
import { builtinMode } from "./builtin-modes.ts";
import { rulesOfMode } from "./mode-rules.ts";

const everything: SourcedRule = { action: "*", resource: "*", effect: "allow", layer: "user", source: "test" };

function effect(slug: string, action: string, resource: string, user: SourcedRule[] = []) {
  const mode = builtinMode(slug);
  if (!mode) throw new Error(`no mode ${slug}`);
  return judge(stackLayers({ mode: rulesOfMode(mode), user, workspace: [], session: [] }), "tool", [{ action, resource }]).effect;
}

test("reading is allowed, and everything else asks", () =>
  expect(["read", "edit", "command", "fetch"].map((action) => effect("code", action, "x"))).toEqual(["allow", "ask", "ask", "ask"]));

test("reading files with secrets asks, and reading their examples does not", () =>
  expect([".env", "a/.env.local", ".env.example"].map((file) => effect("code", "read", file))).toEqual(["ask", "ask", "allow"]));

test("no rule of the user restores a right that the mode lacks", () => {
  expect(effect("ask", "edit", "a.ts", [everything])).toBe("deny");
  expect(effect("ask", "command", "ls", [everything])).toBe("deny");
  expect(effect("orchestrator", "read", "a.ts", [everything])).toBe("deny");
  expect(effect("code", "switch_mode", "ask", [everything])).toBe("deny");
});

test("a limited group is open only where its limit says so", () => {
  expect(effect("architect", "edit", "docs/plan.md", [everything])).toBe("allow");
  expect(effect("architect", "edit", "src/a.ts", [everything])).toBe("deny");
  expect(effect("plan", "edit", ".baton/plans/x.md")).toBe("allow");
  expect(effect("plan", "edit", "README.md", [everything])).toBe("deny");
});

test("a read-only mode runs read-only commands, by the same rules as other modes", () => {
  const plan = builtinMode("plan");
  if (!plan) throw new Error("no mode plan");
  const rules = stackLayers({ mode: rulesOfMode(plan), user: [everything], workspace: [], session: [] });
  expect(judge(rules, "tool", [{ action: "command", resource: "ls" }]).effect).toBe("deny");
  expect(judge(rules, "tool", [{ action: "command", resource: "ls", reads: true }]).effect).toBe("allow");
  expect(fullyDenied(rules, "command", "run_command")).toBeUndefined();
});

test("planning can be entered from build and left from plan", () => {
  expect([
    effect("build", "enter_plan", "*"),
    effect("build", "exit_plan", "*"),
    effect("plan", "exit_plan", "*"),
    effect("plan", "enter_plan", "*"),
    effect("code", "enter_plan", "*"),
  ]).toEqual(["ask", "deny", "ask", "deny", "deny"]);
});

test("in one list of the user the last match applies, for denies too", () => {
  const user: SourcedRule[] = [
    { ...everything, action: "edit", effect: "deny" },
    { ...everything, action: "edit", resource: "docs/*" },
  ];
  expect([effect("code", "edit", "docs/a.md", user), effect("code", "edit", "src/a.ts", user)]).toEqual(["allow", "deny"]);
});
