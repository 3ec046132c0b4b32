import type { Logged } from "@baton/core/protocol/event";
import { expect, test } from "vitest";
import { collectTurn } from "./turn-collector.ts";

test("what a turn used is summed up whole", () => {
  const usage = { input: 10, cachedInput: 4, cacheWrite: 3, output: 5, reasoning: 2, estimated: 1, cost: 0.5 };
  const replied = (seq: number): Logged => ({
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
