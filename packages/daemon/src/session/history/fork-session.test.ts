import type { SessionEvent } from "@baton/core/protocol/event";
import type { CallId, RequestId, SessionId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { asked, answered, created, ended, logged, opened, prompted, allow, begun } from "../../../../core/test/session-events.ts";
import { forkEvents, isAtRest } from "./fork-session.ts";

const by = { person: "test" };
const [from, to] = ["old" as SessionId, "new" as SessionId];
const fork = (...events: SessionEvent[]) => forkEvents(logged([created, ...events]), from, to, by);

const about = (subject: { workspace: string } | { server: string }): SessionEvent[] => {
  const { request } = opened("x");
  const id = "old-beside" as RequestId;
  return [
    { type: "request.opened", request: { ...request, id, subject } },
    { type: "request.answered", requestId: id, answer: { choice: "trust" }, by },
  ];
};
const call = {
  id: "o1" as CallId,
  tool: "run_command",
  input: { command: "touch x" },
  providerId: "",
  label: { verb: "run", object: "x" },
};

test.each<[string, SessionEvent[]]>([
  ["an answer about the folder", about({ workspace: "/w" })],
  ["an answer about a server", about({ server: "s" })],
  ["a call of another agent, allowed", [{ type: "call.received", call, by }, allow("o1")]],
  ["a call of another agent, running", [{ type: "call.received", call, by }, allow("o1"), begun("o1")]],
  ["an open call", [...asked("a"), opened("s1.1")]],
  ["an answered call", [...asked("a"), opened("s1.1"), answered("s1.1", "once")]],
  ["a prompt that waits", [prompted("hi")]],
  ["a wish for a summary", [...asked(), ended("completed"), { type: "compaction.wanted", by }]],
  ["an undo", [{ type: "undo.started", since: 1, files: [], told: false, by }]],
  [
    "a subtask",
    [{ type: "child.started", child: { childId: "old.1" as SessionId, callId: "s1.1" as CallId, title: "t", mode: "code" } as never }],
  ],
])("%s begins nothing in a fork", (_, events) => expect(isAtRest(fork(...events))).toBe(true));

test("a fork is not a subtask, and keeps the ceilings of the original session", () => {
  const ceilings = [{ action: "edit", resource: "*", effect: "deny", layer: "ceiling", source: "mode plan" } as const];
  const child: SessionEvent = { ...created, parent: { sessionId: from, callId: "s1.1" as CallId }, ceilings } as SessionEvent;
  const [first] = forkEvents(logged([child]), from, to, by);
  expect(first).not.toHaveProperty("parent");
  expect(first).toMatchObject({ type: "session.created", ceilings, forkedFrom: { sessionId: from } });
});

test("a mode change in a fork names the request of the fork that approved it", () => {
  const requestId = "old-s1.1" as RequestId;
  const changed: SessionEvent = { type: "mode.changed", from: "code", to: "ask", origin: "switch_mode", requestId, by, tookMs: 1 };
  const events = fork(...asked(), opened("s1.1"), changed);
  expect(events.flatMap((event) => (event.type === "mode.changed" ? [event.requestId] : []))).toEqual(["new-s1.1"]);
});

test("a second session.created event in the middle has no effect", () =>
  expect(fork({ ...created, workspace: "/elsewhere" } as SessionEvent).map(({ type }) => type)).toEqual(["session.created"]));
