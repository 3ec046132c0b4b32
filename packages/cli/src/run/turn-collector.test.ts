import type { LoggedEvent } from "@baton/core/protocol/event";
import { expect, test } from "vitest";
import { collectTurn } from "./turn-collector.ts";

test("the usage of a turn is the sum of all its parts", () => {
  const usage = { input: 10, cachedInput: 4, cacheWrite: 3, output: 5, reasoning: 2, estimated: 1, cost: 0.5 };
  const replied = (seq: number): LoggedEvent => ({
    type: "model.replied",
    step: seq,
    text: "",
    calls: [],
    usage,
    finish: "stop",
    tookMs: 1,
    seq,
    at: seq,
  });
  const turn = collectTurn("s", "p");
  turn.take([1, 2, 3].map(replied), []);
  const thrice = Object.fromEntries(Object.entries(usage).map(([key, value]) => [key, value * 3]));
  expect(turn.result().usage).toEqual(thrice);
});

const logged = (seq: number, event: object): LoggedEvent => ({ ...event, seq, at: seq }) as LoggedEvent; // the test passes whole events

test("a prompt that a hook refuses ends the wait, with and without a running turn", () => {
  const other = logged(1, { type: "prompt.withdrawn", promptId: "other" });
  const withdrawn = (reason?: string) => logged(2, { type: "prompt.withdrawn", promptId: "p", reason });
  const ended = logged(3, { type: "turn.ended", reason: "denied", message: "A hook refused the prompt." });
  for (const events of [
    [other, withdrawn(), ended],
    [other, withdrawn("A hook refused the prompt.")],
  ]) {
    const turn = collectTurn("s", "p");
    turn.take(events, []);
    expect(turn.over()).toBe(true);
    expect(turn.result()).toMatchObject({ status: "denied", message: "A hook refused the prompt." });
  }
});

test("a turn that stops within a reply keeps the text so far, and a later reply replaces it", () => {
  const turn = collectTurn("s", "p");
  const text = (offset: number, more: string) => ({ type: "text" as const, step: 1, attempt: 1, offset, text: more });
  turn.take([logged(1, { type: "model.started", step: 1, attempt: 1, mode: "code", model: "m", tools: "" })], [text(0, "The fir")]);
  turn.take([], [text(7, "st part"), text(7, "st part of")]);
  expect(turn.result("stopped").text).toBe("The first part of");
  turn.take([logged(2, { type: "model.kept", step: 1, text: "The first part of it" })], []);
  expect(turn.result("stopped").text).toBe("The first part of it");
  expect(turn.result().text).toBe("");
  const usage = { input: 0, cachedInput: 0, output: 0, cost: 0 };
  turn.take([logged(3, { type: "model.replied", step: 1, text: "All of it.", calls: [], usage, finish: "stop", tookMs: 1 })], []);
  expect(turn.result().text).toBe("All of it.");
});
