import { expect, test } from "vitest";
import { answered, asked, ended, stateAfter, opened, prompted } from "../../test/session-events.ts";
import { loadRegexEngine } from "../text/regex.ts";
import { findInvalidRule } from "../permission/validate-rules.ts";
import type { Rule } from "../protocol/rule.ts";
import type { Command } from "../protocol/command.ts";
import type { PromptId, RequestId } from "../protocol/ids.ts";
import { acceptCommand } from "./accept-command.ts";
import { emptyState } from "./state.ts";

const by = { person: "test" };
const facts = {
  modes: [{ slug: "code" }, { slug: "plan" }, { slug: "worker", kind: "subagent" as const }],
  faultOfModel: (model: string) => (model === "a/b" ? undefined : `There is no model "${model}".`),
  faultOfRule: (rule: Rule) => findInvalidRule([rule]),
  now: 10_000,
};
const prompt = (text: string, more: object = {}): Command => ({
  type: "prompt",
  promptId: "p" as PromptId,
  text,
  delivery: "queue",
  by,
  ...more,
});
const answer = (choice: string, more: object = {}): Command => ({
  type: "answer",
  requestId: "w-s1.1" as RequestId,
  answer: { choice, ...more },
  by,
});

const code = (result: ReturnType<typeof acceptCommand>) =>
  "refused" in result ? result.refused.code : result.events.map((event) => event.type);

test("a command for a missing session is refused", () =>
  expect(code(acceptCommand(emptyState, prompt("hi"), facts))).toBe("session_not_found"));

test.each([
  [
    "create",
    (mode: string) => acceptCommand(emptyState, { type: "create", workspace: "/w", mode, stepLimit: 1, by: { person: "a" } }, facts),
  ],
  ["switchMode", (mode: string) => acceptCommand(stateAfter(), { type: "switchMode", mode, by: { person: "a" } }, facts)],
  ["prompt", (mode: string) => acceptCommand(stateAfter(), prompt("hi", { mode }), facts)],
])("a session cannot be in a mode for subtasks: %s", (_, into) => {
  expect(code(into("worker"))).toBe("mode_invalid");
  expect(code(into("plan"))).not.toBe("mode_invalid");
});

test("an empty prompt is refused", () => expect(code(acceptCommand(stateAfter(), prompt("  \n"), facts))).toBe("prompt_empty"));

test("a prompt can name a mode, which adds a transition", () => {
  expect(acceptCommand(stateAfter(), prompt("hi", { mode: "plan" }), facts)).toEqual({
    events: [
      { type: "mode.changed", from: "code", to: "plan", origin: "user", by, tookMs: 9_000 },
      { type: "prompt.received", promptId: "p", text: "hi", delivery: "queue", mode: "plan", by },
    ],
  });
});

test("unknown modes and models are refused with a list of known ones", () => {
  const refused = acceptCommand(stateAfter(), prompt("hi", { mode: "nope" }), facts);
  expect("refused" in refused && refused.refused).toEqual({
    code: "mode_not_found",
    message: 'There is no mode "nope". The modes are: code, plan.',
  });
  expect(code(acceptCommand(stateAfter(), prompt("hi", { model: "x/y" }), facts))).toBe("model_not_found");
});

test("switching to the current mode changes nothing", () =>
  expect(code(acceptCommand(stateAfter(), { type: "switchMode", mode: "code", by }, facts))).toBe("mode_unchanged"));

test("a choice that is not offered leaves the request open", () => {
  const state = stateAfter(...asked("a"), opened("s1.1"));
  expect(code(acceptCommand(state, answer("yes"), facts))).toBe("choice_not_offered");
  expect(code(acceptCommand(state, { type: "answer", requestId: "w-s1.1" as RequestId, answer: { text: "sure" }, by }, facts))).toBe(
    "answer_incomplete",
  );
  expect(code(acceptCommand(state, answer("once"), facts))).toEqual(["request.answered"]);
});

test("an answer to a different content than the client showed is refused", () => {
  const state = stateAfter(...asked("a"), opened("s1.1"));
  expect(code(acceptCommand(state, answer("once", { hash: "other" }), facts))).toBe("hash_mismatch");
  expect(code(acceptCommand(state, answer("once", { hash: "h" }), facts))).toEqual(["request.answered"]);
});

test("the refusal of a second answer names who answered first", () => {
  const state = stateAfter(...asked("a"), opened("s1.1"), answered("s1.1", "deny"));
  expect(acceptCommand(state, answer("once"), facts)).toMatchObject({
    refused: { code: "already_answered", winner: { by, answer: { choice: "deny" } } },
  });
});

test("an interrupted request cannot be answered", () =>
  expect(code(acceptCommand(stateAfter(...asked("a"), opened("s1.1"), ended("stopped")), answer("once"), facts))).toBe("already_answered"));

test("interrupting an idle session is refused", () =>
  expect(code(acceptCommand(stateAfter(), { type: "interrupt", by }, facts))).toBe("nothing_running"));

test("a queued prompt can be edited and withdrawn, a delivered one cannot", () => {
  const state = stateAfter(...asked("a"), prompted("later"));
  expect(code(acceptCommand(state, { type: "editPrompt", promptId: "later" as PromptId, text: "now", by }, facts))).toEqual([
    "prompt.edited",
  ]);
  expect(code(acceptCommand(state, { type: "withdrawPrompt", promptId: "hi" as PromptId, by }, facts))).toBe("prompt_not_found");
});

test("a rule with an invalid expression is not remembered", async () => {
  await loadRegexEngine();
  const request = { ...opened("s1.1").request, remember: { action: "command", resource: "x", effect: "allow" as const } };
  const state = stateAfter(...asked("a"), { type: "request.opened", request });
  const rule = (regex: string) => ({ action: "command", resource: { regex }, effect: "allow", scope: "user" });
  expect(code(acceptCommand(state, answer("once", { rule: rule("(") }), facts))).toBe("rule_invalid");
  expect(code(acceptCommand(state, answer("once", { rule: rule("^git ") }), facts))).toEqual(["request.answered"]);
});

test("the user can add a rule to the session once, and not with an invalid expression", async () => {
  await loadRegexEngine();
  const grant = (regex: string) =>
    acceptCommand(
      stateAfter(),
      { type: "grant", grantId: "own", rule: { action: "edit", resource: { regex }, effect: "allow" }, by },
      facts,
    );
  expect(code(grant("^src/"))).toEqual(["grant.given"]);
  expect(code(grant("("))).toBe("rule_invalid");
  const event = {
    type: "grant.given",
    grant: {
      id: "own",
      rule: { action: "edit", resource: "*", effect: "allow" },
      scope: "session",
      mode: "code",
      givenAt: 1,
      requestId: "",
    },
    by,
  } as const;
  expect(code(acceptCommand(stateAfter(event), { type: "grant", grantId: "own", rule: event.grant.rule, by }, facts))).toEqual([]);
});
