import { expect, test } from "vitest";
import {
  allow,
  answered,
  asked,
  begun,
  delivered,
  ended,
  failed,
  finished,
  stateAfter,
  opened,
  prompted,
  replied,
  started,
} from "../../test/session-events.ts";
import type { EventOf, SessionEvent } from "../protocol/event.ts";
import type { RequestId } from "../protocol/ids.ts";
import { nextEffects } from "./next-effects.ts";

const wanted = (...events: SessionEvent[]) => nextEffects(stateAfter(...events)).map((effect) => effect.key);

test("an idle session has no next effects", () => expect(wanted()).toEqual([]));

test("a prompt is delivered, and then the model is called", () => {
  expect(wanted(prompted("hi"))).toEqual(["deliver hi"]);
  expect(wanted(prompted("hi"), delivered("hi"))).toEqual(["start 1"]);
  expect(wanted(prompted("hi"), delivered("hi"), started(1))).toEqual(["model 1.1"]);
});

test("each call of a reply is judged", () => expect(wanted(...asked("a", "b"))).toEqual(["judge s1.1", "judge s1.2"]));

test("an open request delays only its own call", () => {
  expect(wanted(...asked("a", "b"), opened("s1.1"))).toEqual(["judge s1.2"]);
  expect(wanted(...asked("a"), opened("s1.1"))).toEqual([]);
});

test("an answer leads to a conclusion of its request", () =>
  expect(wanted(...asked("a"), opened("s1.1"), answered("s1.1", "once"))).toEqual(["conclude s1.1"]));

test("read-only calls start in parallel", () =>
  expect(wanted(...asked("a", "b"), allow("s1.1", false), allow("s1.2", false))).toEqual(["start s1.1", "start s1.2"]));

test("a call that writes waits for the earlier calls", () => {
  const both = [...asked("a", "b"), allow("s1.1"), allow("s1.2")];
  expect(wanted(...both)).toEqual(["start s1.1"]);
  expect(wanted(...both, begun("s1.1"))).toEqual(["call s1.1"]);
  expect(wanted(...both, begun("s1.1"), finished("s1.1"))).toEqual(["start s1.2"]);
});

test("the model is called again when every call has ended", () =>
  expect(wanted(...asked("a"), allow("s1.1"), begun("s1.1"), finished("s1.1"))).toEqual(["start 2"]));

test("a reply without calls ends the turn", () => expect(wanted(...asked())).toEqual(["end 1"]));

test("a steering prompt enters after the results, or in place of the end of the turn", () => {
  expect(wanted(...asked("a"), prompted("wait", "steer"))).toEqual(["judge s1.1"]);
  expect(wanted(...asked("a"), prompted("wait", "steer"), finished("s1.1"))).toEqual(["deliver wait"]);
  expect(wanted(...asked(), prompted("wait", "steer"))).toEqual(["deliver wait"]);
  expect(wanted(...asked(), prompted("wait", "steer"), delivered("wait"))).toEqual(["start 2"]);
});

test("a queued prompt waits for the end of the turn", () => {
  expect(wanted(...asked(), prompted("later"))).toEqual(["end 1"]);
  expect(wanted(...asked(), prompted("later"), ended("completed"))).toEqual(["deliver later"]);
});

test("after an interrupt, queued prompts wait until the user continues", () => {
  const stopped = [...asked("a"), prompted("later"), ended("stopped")];
  expect(wanted(...stopped)).toEqual([]);
  expect(wanted(...stopped, { type: "queue.resumed", by: { person: "test" } })).toEqual(["deliver later"]);
});

test("a failed model call is repeated at its time, or never", () => {
  expect(nextEffects(stateAfter(prompted("hi"), delivered("hi"), started(1), failed(1, 9_000)))).toEqual([
    { do: "awaitRetry", key: "retry 1.1 9000", step: 1, attempt: 2, until: 9_000 },
  ]);
  expect(nextEffects(stateAfter(prompted("hi"), delivered("hi"), started(1), failed(1)))).toEqual([
    { do: "endTurn", key: "end 1", reason: "failed", message: "busy" },
  ]);
});

test("a model that cannot be called at all ends the turn", () =>
  expect(wanted(prompted("hi"), delivered("hi"), failed(1))).toEqual(["end 1"]));

test("no effect has the key of a late report of an interrupted step", () => {
  const before = wanted(prompted("hi"), delivered("hi"), started(1));
  expect(
    wanted(prompted("hi"), delivered("hi"), started(1), ended("stopped"), prompted("again"), delivered("again"), started(2)),
  ).not.toEqual(before);
});

test("at the limit of steps Baton asks the user, and the answer decides", () => {
  const atLimit = [
    ...asked("a"),
    finished("s1.1"),
    started(2),
    replied(2, "", "a"),
    finished("s2.1"),
    started(3),
    replied(3, "", "a"),
    finished("s3.1"),
  ];
  expect(wanted(...atLimit)).toEqual(["limit 1 steps"]);
  const { request } = opened("s1.1");
  const asking: SessionEvent = { type: "request.opened", request: { ...request, subject: { turn: 1 } } };
  expect(wanted(...atLimit, asking)).toEqual([]);
  expect(nextEffects(stateAfter(...atLimit, asking, answered("s1.1", "stop"))).map((effect) => effect.do)).toEqual(["concludeTurn"]);
  expect(wanted(...atLimit, asking, answered("s1.1", "continue"), { type: "limit.raised", turn: 1, what: "steps", by: 3 })).toEqual([
    "start 4",
  ]);
});

test("a mode's own limit of steps asks, is raised separately, and ends with the mode", () => {
  const step = (n: number): SessionEvent[] => [
    { ...started(n), type: "model.started", mode: "code", mostSteps: 2 } as SessionEvent,
    replied(n, "", "a"),
    finished(`s${n}.1`),
  ];
  const atLimit = [prompted("hi"), delivered("hi"), ...step(1), ...step(2)];
  expect(wanted(...atLimit)).toEqual(["limit 1 steps"]);
  const raised: SessionEvent = { type: "limit.raised", turn: 1, what: "steps", by: 2 };
  expect(stateAfter(...atLimit, raised).turn).toMatchObject({ budget: 3, inMode: { steps: 2, budget: 4 } });
  expect(wanted(...atLimit, raised)).toEqual(["start 3"]);
  const left: SessionEvent = { type: "mode.changed", from: "code", to: "ask", origin: "user", by: { person: "me" }, tookMs: 0 };
  expect(wanted(...atLimit, left)).toEqual(["start 3"]);
});

test("a denial that the agent cannot work around ends the turn as denied", () => {
  const refused = [...asked("a"), opened("s1.1"), answered("s1.1", "deny"), finished("s1.1", { outcome: "denied", text: "no" })];
  expect(nextEffects(stateAfter(...refused, started(2), replied(2, "I could not.")))).toMatchObject([{ do: "endTurn", reason: "denied" }]);
  const around = [...refused, started(2), replied(2, "", "b"), finished("s2.1"), started(3), replied(3, "Done without.")];
  expect(nextEffects(stateAfter(...around))).toMatchObject([{ do: "endTurn", reason: "completed" }]);
});

test("a turn that waits for the user has no next effects until the answer", () => {
  const request: SessionEvent = {
    type: "request.opened",
    request: { ...opened("x").request, id: "w-t1.blocked" as RequestId, subject: { turn: 1 } },
  };
  const blocked = [...asked("a"), finished("s1.1", { outcome: "ok", text: "", ends: "blocked" }), request];
  expect(wanted(...blocked)).toEqual([]);
  const answer: SessionEvent = {
    type: "request.answered",
    requestId: "w-t1.blocked" as RequestId,
    answer: { choice: "stay" },
    by: { person: "me" },
  };
  expect(wanted(...blocked, answer)).toEqual(["conclude w-t1.blocked"]);
});

test("new errors are read after all calls of a step, before a prompt of the user and the next step", () => {
  const checked: SessionEvent = { ...(finished("s1.1") as EventOf<"tool.finished">), awaitsDiagnostics: true };
  const before = [...asked("a", "b"), checked, prompted("also", "steer")];
  expect(wanted(...before)).not.toContain("diagnostics 1");
  expect(wanted(...before, finished("s1.2"))).toEqual(["diagnostics 1"]);
  const reported: SessionEvent = { type: "diagnostics.reported", step: 1, calls: [] };
  expect(wanted(...before, finished("s1.2"), reported)).toEqual(["deliver also"]);
});

test("a turn that ends does not wait for new errors", () => {
  const checked: SessionEvent = { ...(finished("s1.1") as EventOf<"tool.finished">), awaitsDiagnostics: true };
  expect(wanted(...asked("a"), checked, ended("stopped"))).toEqual([]);
});
