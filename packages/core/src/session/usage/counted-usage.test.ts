import { expect, test } from "vitest";
import { delivered, ended, stateAfter, prompted, replied, started } from "../../../test/session-events.ts";
import type { SessionEvent } from "../../protocol/event.ts";
import { nextInputTokens } from "../context/context-budget.ts";

const usage = (output: number, more: object = {}) => ({ input: 100, cachedInput: 40, output, cost: output / 100, ...more });
const savedPart = (output: number): SessionEvent => ({
  type: "model.kept",
  step: 1,
  text: "x",
  usage: usage(output, { estimated: output }),
});
const spent = (output: number, step?: number): SessionEvent => ({
  type: "model.spent",
  usage: usage(output, { estimated: output }),
  ...(step === undefined ? {} : { step }),
});
const failed: SessionEvent = { type: "model.failed", step: 1, code: "cut", message: "cut", retryAt: 0 };
const answered = (output: number): SessionEvent => ({ ...replied(1, "ok"), usage: usage(output) });
const begun = [prompted("hi"), delivered("hi"), started(1)];

test("the saved part of a running reply does not count until its usage is known", () => {
  expect(stateAfter(...begun, savedPart(7)).usage.output).toBe(0);
  expect(stateAfter(...begun, savedPart(7), answered(9))).toMatchObject({ usage: usage(9), step: { spent: undefined } });
  expect(stateAfter(...begun, savedPart(7), spent(8, 1), failed)).toMatchObject({
    usage: usage(8, { estimated: 8 }),
    step: { spent: undefined },
  });
});

test("an interrupted attempt and the next one both count, and the size is that of the last one", () => {
  const state = stateAfter(...begun, spent(8, 1), failed, started(1), answered(9));
  expect(state.usage).toEqual({ input: 200, cachedInput: 80, output: 17, cost: expect.closeTo(0.17) as number, estimated: 8 });
  expect(state.contextTokens).toBe(109);
});

test("usage outside of the steps does not change the size of the conversation, and the turn includes all of its costs", () => {
  const state = stateAfter(...begun, answered(9), spent(50), ended("completed"));
  expect(state.contextTokens).toBe(109);
  expect(state.lastTurn?.cost).toBeCloseTo(0.59);
});

test("the next request is expected to have the counted size, and to read it from the cache if the last one did", () => {
  expect(nextInputTokens(stateAfter(...begun))).toBeUndefined();
  expect(nextInputTokens(stateAfter(...begun, answered(9)))).toMatchObject({ cachedInput: 109 });
  expect(nextInputTokens(stateAfter(...begun, { ...replied(1, "ok"), usage: { ...usage(9), cachedInput: 0 } }))?.cachedInput).toBe(0);
});
