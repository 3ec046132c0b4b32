import { expect, test } from "vitest";
import {
  allow,
  asked,
  begun,
  delivered,
  drawn,
  ended,
  failed,
  finished,
  prompted,
  replied,
  started,
} from "../../../test/session-events.ts";
import type { ToolResult } from "../../protocol/tool-call.ts";
import type { SessionEvent } from "../../protocol/event.ts";
import type { CallId, SessionId } from "../../protocol/ids.ts";
import { buildMessages, type Message } from "./build-messages.ts";
import type { Entry } from "../transcript/entry.ts";
import { foldTranscript } from "../transcript/build-transcript.ts";

const messages = (...events: SessionEvent[]): Message[] => buildMessages(drawn(...events), new WeakMap());
const shape = (...events: SessionEvent[]) =>
  messages(...events).map((message) => (message.role === "user" ? `user ${message.text}` : message.role));

/** The requirement of every provider: exactly one result follows each call immediately. */
function wellFormed(list: readonly Message[]): boolean {
  return list.every((message, i) => {
    if (message.role !== "assistant" || message.calls.length === 0) return true;
    const following = list[i + 1];
    return (
      following?.role === "tool" &&
      JSON.stringify(following.results.map(({ id }) => id)) === JSON.stringify(message.calls.map(({ id }) => id))
    );
  });
}

test("a result follows every call, before prompts that arrived in between", () => {
  expect(shape(...asked("a"), prompted("also", "steer"), finished("s1.1"), delivered("also"), started(2), replied(2, "ok"))).toEqual([
    "user hi",
    "assistant",
    "tool",
    "user also",
    "assistant",
  ]);
});

test("a change of mode during the model's reply removes no call from the conversation, at whatever position", () => {
  const changed: SessionEvent = { type: "mode.changed", from: "code", to: "ask", origin: "user", by: { person: "a" }, tookMs: 1 };
  const whole = [...asked("a", "b"), finished("s1.1"), finished("s1.2"), started(2), replied(2, "ok")];
  for (let at = 1; at <= whole.length; at++)
    expect(shape(...whole.slice(0, at), changed, ...whole.slice(at))).toEqual(["user hi", "assistant", "tool", "assistant"]);
});

test("any prefix of a session gives a well-formed conversation", () => {
  const whole = [
    ...asked("a", "b"),
    allow("s1.1"),
    begun("s1.1"),
    prompted("x", "steer"),
    finished("s1.1"),
    finished("s1.2"),
    delivered("x"),
    started(2),
    replied(2, "", "c"),
    ended("stopped"),
    prompted("y"),
    delivered("y"),
    started(3),
    failed(3, 5),
    started(3, 2),
    replied(3, "done"),
  ];
  for (let n = 0; n <= whole.length; n++) expect(wellFormed(messages(...whole.slice(0, n))), `first ${n} events`).toBe(true);
});

test("the tasks of one reply end with one table, in the last result", () => {
  const child = (n: number): ToolResult => ({
    outcome: "ok",
    text: `${n}.`,
    child: { childId: `s.s1.${n}` as SessionId, mode: "code", status: "completed", steps: n, cost: 0.5 },
  });
  const first = [...asked("new_task", "new_task", "a"), finished("s1.1", child(1)), finished("s1.2", child(2))];
  const texts = (...events: SessionEvent[]) =>
    messages(...events).flatMap((each) => (each.role === "tool" ? each.results.map(({ text }) => text) : []));
  expect(texts(...first).join()).not.toContain("All tasks");
  const [one, two, three] = texts(...first, finished("s1.3"));
  expect([one, three]).toEqual(["1.", "done"]);
  expect(two).toContain("| s.s1.1 | code | completed | 1 | $0.5000 |\n| s.s1.2 | code | completed | 2 | $0.5000 |");
});

test("Baton replaces an id that the provider has used before", () => {
  const ids = messages(...asked("a"), finished("s1.1"), started(2), replied(2, "", "a"), finished("s2.1")).flatMap((message) =>
    message.role === "assistant" ? message.calls.map(({ id }) => id) : [],
  );
  expect(ids).toEqual(["p0", "s2_1"]);
});

test("messages of earlier steps keep their identity, so that providers can cache their conversion", () => {
  const known = new WeakMap<Entry, Message>();
  const transcript = drawn(...asked("a"), finished("s1.1"));
  const [first] = buildMessages(transcript, known);
  expect(buildMessages(transcript, known)[0]).toBe(first);
});

test("text of an interrupted reply stays, and an empty reply leaves nothing", () => {
  expect(shape(prompted("hi"), delivered("hi"), started(1), { type: "model.kept", step: 1, text: "half" }, failed(1))).toEqual([
    "user hi",
    "assistant",
  ]);
  expect(shape(prompted("hi"), delivered("hi"), started(1), failed(1))).toEqual(["user hi"]);
});

test("new errors follow the result of the call that caused them, even if the results were already sent", () => {
  const found: SessionEvent = {
    type: "diagnostics.reported",
    step: 1,
    calls: [{ callId: "s1.1" as CallId, text: "This edit caused 1 new error.", view: { type: "files", files: [] } }],
  };
  const transcript = drawn(...asked("a", "b"), finished("s1.1"), finished("s1.2"));
  const cache = new WeakMap<Entry, Message>();
  const texts = () => {
    const last = buildMessages(transcript, cache).at(-1);
    return last?.role === "tool" ? last.results.map(({ text }) => text) : [];
  };
  expect(texts()).toEqual(["done", "done"]);
  foldTranscript(transcript, { ...found, seq: transcript.seq + 1, at: 0 });
  expect(texts()).toEqual(["done\n\nThis edit caused 1 new error.", "done"]);
});
