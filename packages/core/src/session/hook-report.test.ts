import { expect, test } from "vitest";
import { hookReport } from "./hook-report.ts";

const hook = { name: "check.sh", source: "config.jsonc:3", layer: "user", hash: "a", onFailure: "ask" } as const;

test.each([
  ["Sure?", "The hook check.sh (config.jsonc:3) wants you to decide: Sure?"],
  ["Look at it.", "The hook check.sh (config.jsonc:3) wants you to decide: Look at it."],
  ["look at it", "The hook check.sh (config.jsonc:3) wants you to decide: look at it."],
  [undefined, "The hook check.sh (config.jsonc:3) wants you to decide."],
])("the reason %j ends with one mark", (reason, text) => {
  const outcome = { status: "passed", decision: "ask", tookMs: 1, ...(reason === undefined ? {} : { reason }) } as const;
  expect(hookReport({ event: "PreToolUse", hook }, outcome)?.text).toBe(text);
});

test("an error that ends as a sentence gets no second full stop", () => {
  const outcome = { status: "error", problem: "exit code 1, No such file.", tookMs: 1 } as const;
  expect(hookReport({ event: "PreToolUse", hook }, outcome)?.text).toMatch(/: exit code 1, No such file\.$/);
});
