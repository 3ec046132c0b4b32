import { expect, test } from "vitest";
import type { AccessVerdict, Layer, Resource } from "../protocol/rule.ts";
import { proposeRule } from "./propose-rule.ts";

const asking = (action: string, resource: string, layer: Layer = "defaults"): AccessVerdict => ({
  action,
  resource,
  effect: "ask",
  rule: { action: "*", resource: "*", effect: "ask", layer, source: "test" },
});

const proposed = (accesses: AccessVerdict[], asked: [string, string][]): Resource | undefined =>
  proposeRule(
    { effect: "ask", rule: null, accesses, why: "" },
    asked.map(([action, resource]) => ({ action, resource })),
  )?.resource;

test.each([
  ["npm test -- --run a", "npm test *"],
  ["npm run build:all --x", "npm run build:all *"],
  ["git commit -m x", "git commit *"],
  ["npm install -D vite", "npm install *"],
  ["npm install", "npm install"],
  ["pnpm i --frozen-lockfile", "pnpm i --frozen-lockfile"],
  ["pip install -r requirements.txt", "pip install -r requirements.txt"],
  ["git push origin", "git push origin"],
  ["python3 script.py", "python3 script.py"],
  ["bash x.sh", "bash x.sh"],
  ["unknown a b", "unknown a b"],
  ["ls *.ts", { exact: "ls *.ts" }],
])("for %s Baton proposes the rule %j", (command, resource) =>
  expect(proposed([asking("command", command)], [["command", command]])).toEqual(resource),
);

test("a grant for a text that a gate shows uses the shown text", () =>
  expect(proposed([asking("command", "rm -rf x", "gate")], [["command", 'rm -rf "x"']])).toEqual({ exact: 'rm -rf "x"' }));

test("Baton proposes no rule for a call that always asks", () => {
  const { rule, ...access } = asking("edit", "a", "gate");
  expect(proposed([{ ...access, rule: rule && { ...rule, once: true } }, asking("command", "b")], [["command", "b > a"]])).toBeUndefined();
});

test("if several parts ask, the grant covers the whole command", () => {
  const parts = [asking("command", "npm test"), asking("edit", "a.log")];
  expect(proposed(parts, [["command", "npm test > a.log"]])).toEqual({ exact: "npm test > a.log" });
  expect(
    proposed(
      [asking("edit", "a"), asking("edit", "b")],
      [
        ["edit", "a"],
        ["edit", "b"],
      ],
    ),
  ).toBeUndefined();
});

test("a grant for an address covers its host, and a grant for a file its path", () => {
  expect(proposed([asking("fetch", "https://a.example/b/c")], [["fetch", "https://a.example/b/c"]])).toBe("https://a.example/*");
  expect(proposed([asking("edit", "src/a.ts")], [["edit", "/w/src/a.ts"]])).toBe("src/a.ts");
});
