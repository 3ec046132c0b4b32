import { CallId, PromptId } from "@baton/core/protocol/ids";
import type { Entry, EndEntry } from "@baton/core/session/transcript/entry";
import { expect, test } from "vitest";
import { isNotable, turnSummary } from "./turn-summary.ts";

const prompt: Entry = {
  kind: "prompt",
  seq: 1,
  id: PromptId.parse("p"),
  receivedSeq: 1,
  text: "go",
  delivery: "queue",
  mode: "code",
  by: { person: "page" },
  at: 1_000,
};
const reply = (step: number, at: number, cost: number): Entry => ({
  kind: "reply",
  seq: step,
  id: `s${step}`,
  step,
  mode: "code",
  model: "m",
  phase: "done",
  attempt: 1,
  text: "",
  usage: { input: 1, cachedInput: 0, output: 1, cost },
  at,
});
const edit: Entry = {
  kind: "call",
  seq: 3,
  id: CallId.parse("s1.1"),
  tool: "edit_file",
  providerId: "x",
  label: { verb: "edit", object: "a" },
  phase: "ok",
  result: { outcome: "ok", text: "", view: { type: "diff", path: "a", change: "change", added: 2, removed: 1, hunks: [] } },
  at: 3_000,
};
const end: EndEntry = { kind: "end", seq: 9, id: "end 9", reason: "completed", at: 9_000 };

test("the summary contains the time since the model started, the cost of all replies and the files", () => {
  const turn = turnSummary([prompt, reply(1, 2_000, 0.25), edit, reply(2, 5_000, 0.5)], end);
  expect(turn).toMatchObject({ tookMs: 7_000, cost: 0.75, calls: 1, files: [{ path: "a", added: 2, removed: 1 }] });
  expect(turn.prompt).toBe(prompt);
  expect(isNotable(turn)).toBe(true);
});

test("a short answer is not notable, and a long one is", () => {
  expect(isNotable(turnSummary([prompt, reply(1, 8_000, 0)], end))).toBe(false);
  expect(isNotable(turnSummary([prompt, reply(1, 8_000, 0)], { ...end, at: 60_000 }))).toBe(true);
});
