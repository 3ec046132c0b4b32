import { CallId, PromptId, SessionId } from "@baton/core/protocol/ids";
import type { CallEntry, Entry } from "@baton/core/session/transcript/entry";
import { expect, test } from "vitest";
import { transcriptRows, type ConversationRow } from "./transcript-rows.ts";

let seq = 0;
const call = (id: string, more: Partial<CallEntry> = {}): CallEntry => ({
  kind: "call",
  seq: ++seq,
  id: CallId.parse(id),
  tool: "any",
  providerId: "p",
  label: { verb: "read", object: id },
  phase: "ok",
  result: { outcome: "ok", text: "" },
  at: 0,
  ...more,
});
const reply = (step: number, text: string): Entry => ({
  kind: "reply",
  seq: ++seq,
  id: `s${step}`,
  step,
  mode: "code",
  model: "m",
  phase: "done",
  attempt: 1,
  text,
  at: 0,
});
const rows = (entries: readonly Entry[], hidden: string[] = [], before: readonly ConversationRow[] = []) =>
  transcriptRows(entries, new Set(hidden), new Map(before.map((row) => [row.id, row])));
const shape = (found: readonly ConversationRow[]) => found.map((row) => (row.kind === "quiet" ? row.calls.map(({ id }) => id) : row.id));

test("consecutive quiet calls share one row, even across empty replies", () => {
  expect(shape(rows([reply(1, "Hello."), call("a"), call("b"), reply(2, " "), call("c"), reply(3, "Done."), call("d")]))).toEqual([
    "s1",
    ["a", "b", "c"],
    "s3",
    "d",
  ]);
});

test("a call that failed, was denied, asked, printed or changed something is never folded", () => {
  const loud = [
    call("a", { phase: "failed" }),
    call("b", { phase: "denied" }),
    call("c", { phase: "unknown" }),
    call("d", { phase: "running" }),
    call("e", { result: { outcome: "ok", text: "", view: { type: "terminal", head: "", tail: "", omittedLines: 0, exitCode: 0 } } }),
    call("e1", { delegated: true }),
    call("e2", {
      result: {
        outcome: "ok",
        text: "",
        child: { childId: SessionId.parse("a.s1.1"), mode: "code", status: "completed", steps: 1, cost: 0 },
      },
    }),
    call("f", { result: { outcome: "ok", text: "over", ends: "completed" } }),
    call("g", { tool: "run_command", input: { command: "npm start", background: true } }),
  ];
  expect(shape(rows(loud))).toEqual(["a", "b", "c", "d", "e", "e1", "e2", "f", "g"]);
});

test("calls that a request represents are left out", () => {
  expect(shape(rows([call("a", { phase: "waiting" }), call("b", { phase: "waiting" })], ["a"]))).toEqual(["b"]);
});

test("there is little space between calls, and more around prose", () => {
  expect(
    rows([reply(1, "x"), call("a", { phase: "failed" }), call("b", { phase: "failed" }), reply(2, "y")]).map(({ tight }) => tight),
  ).toEqual([false, false, true, false]);
});

test("an unchanged row is the same object", () => {
  const [a, b] = [call("a"), call("b")];
  const first = rows([reply(1, "x"), a, b]);
  const second = rows([reply(1, "x"), a, b, call("c", { phase: "running" })], [], first);
  expect(second[1]).toBe(first[1]);
  expect(second[0]).not.toBe(first[0]); // another object, another reply
});

test("only the newest to-do list of a turn is shown", () => {
  const list = (id: string) => call(id, { result: { outcome: "ok", text: "", view: { type: "list", items: [{ text: id }] } } });
  const prompt: Entry = {
    kind: "prompt",
    seq: ++seq,
    id: PromptId.parse("p2"),
    receivedSeq: seq,
    text: "again",
    delivery: "queue",
    mode: "code",
    by: { person: "page" },
    at: 0,
  };
  expect(shape(rows([list("a"), reply(1, "x"), list("b"), prompt, list("c")]))).toEqual(["s1", "b", "p2", "c"]);
});
