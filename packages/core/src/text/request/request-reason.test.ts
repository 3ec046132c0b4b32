import type { AccessVerdict, SourcedRule } from "../../protocol/rule.ts";
import { UNTRUSTED_FOLDER } from "../rule-text.ts";
import { expect, test } from "vitest";
import { requestReason, shownVerdicts } from "./request-reason.ts";

const rule = (more: Partial<SourcedRule>): SourcedRule => ({
  action: "*",
  resource: "*",
  effect: "ask",
  layer: "defaults",
  source: "built in",
  ...more,
});
const asks = (...rules: (SourcedRule | null)[]) => ({
  verdicts: rules.map((each): AccessVerdict => ({ action: "command", resource: "x", effect: each?.effect ?? "ask", rule: each })),
});
const gate = (source: string) => rule({ action: "command", layer: "gate", source });

test("the reason of a gate comes first, as a sentence", () => {
  expect(requestReason(asks(rule({}), gate("command gate: deletes a folder with all that is in it")))).toBe(
    "Asks because it deletes a folder with all that is in it.",
  );
  expect(requestReason(asks(gate("files that hold keys")))).toBe("Asks because the file may hold keys.");
  expect(requestReason(asks(gate("unsaved changes in editor")))).toBe("Asks because of unsaved changes in editor.");
});

test("an access that only may happen, and that no rule limits, is not shown", () => {
  const { verdicts } = asks(rule({ effect: "allow" }), gate("command gate: x"), null);
  expect(shownVerdicts([...verdicts, { action: "edit", resource: "example.com", effect: "allow", rule: null }])).toEqual(verdicts);
});

test("a rule is named with its position, and a rule that allows is not a reason", () => {
  const own = rule({ action: "command", resource: "git push *", layer: "user", source: "config.jsonc:14" });
  expect(requestReason(asks(rule({ action: "read", effect: "allow" }), own))).toBe(
    "Asks because of the rule `command git push *` (config.jsonc:14).",
  );
});

test("a request without a rule of its own says so", () => {
  expect(requestReason(asks(rule({})))).toBe("Asks because no rule allows it.");
  expect(requestReason({ rule: null })).toBe("Asks because no rule allows it.");
});

test("a folder that is not trusted is the reason only if nothing else asks", () => {
  const untrusted = rule({ action: "command", resource: "ls", source: UNTRUSTED_FOLDER });
  expect(requestReason(asks(untrusted))).toBe("Asks because the folder is not trusted (`baton trust`).");
  expect(requestReason(asks(untrusted, rule({})))).toBe("Asks because no rule allows it.");
});
