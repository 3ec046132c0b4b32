import type { Call } from "@baton/core/session/state";
import type { SessionId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { asked, stateAfter } from "../../../../core/test/session-events.ts";
import { effectFailure } from "./effect-failure.ts";

const defect = new Error("it does not come to rest");
const state = stateAfter(...asked("a"));
const [call] = state.calls;

test("a defect in a step ends the turn with a message", () =>
  expect(effectFailure({ do: "callModel", key: "model 1.1", step: 1, attempt: 1 }, defect, state)).toEqual({
    type: "turn.ended",
    reason: "failed",
    message: "Baton failed internally: it does not come to rest. `baton daemon logs` has details.",
  }));

test("a defect in a call of another agent ends that call, because there is no turn", () => {
  const outside = { ...call, outside: true } as Call;
  expect(effectFailure({ do: "runTool", key: "call s1.1", call: outside }, defect, stateAfter())).toMatchObject({
    type: "tool.finished",
    result: { outcome: "unknown" },
  });
});

test("a defect in work beside a turn does not end the turn", () => {
  const child = { childId: "s.1" as SessionId } as never;
  expect(effectFailure({ do: "awaitChild", key: "child s.1", child }, defect, state)).toBeUndefined();
});
