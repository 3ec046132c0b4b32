import type { SessionEvent } from "@baton/core/protocol/event";
import { emptyTranscript } from "@baton/core/session/transcript/transcript";
import { foldTranscript } from "@baton/core/session/transcript/build-transcript";
import { CallId, PromptId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { at, style } from "../../../test/support/render-fixtures.ts";
import type { StreamingState } from "@baton/core/client/streaming-state";
import { Scrollback } from "./scrollback.ts";

const started: SessionEvent = { type: "model.started", step: 1, attempt: 1, mode: "code", model: "m", tools: "" };
const replied = (text: string, ...objects: string[]): SessionEvent => ({
  type: "model.replied",
  step: 1,
  text,
  calls: objects.map((object, i) => ({ id: CallId.parse(`s1.${i + 1}`), tool: "t", providerId: "", label: { verb: "run", object } })),
  usage: { input: 0, cachedInput: 0, output: 0, cost: 0 },
  finish: "stop",
  tookMs: 1,
});
const finished = (n: number): SessionEvent => ({
  type: "tool.finished",
  callId: CallId.parse(`s1.${n}`),
  result: { outcome: "ok", text: "" },
});

/** A session whose events the test sends. */
function screen() {
  const printer = new Scrollback();
  const transcript = emptyTranscript();
  const streams: StreamingState = { reply: undefined, outputs: new Map(), stalled: null };
  let seq = 0;
  const take = () => printer.take(transcript, streams, style(60, "plain"), () => undefined);
  return {
    take,
    events: (...events: SessionEvent[]) => {
      for (const event of events) foldTranscript(transcript, { ...event, seq: ++seq, at });
      return take();
    },
    text: (text: string, attempt = 1) => {
      streams.reply = { step: 1, attempt, text, reasoning: "" };
      return take();
    },
  };
}

test("a streamed reply is printed line by line, and the growing line is shown below in whole words", () => {
  const { events, text } = screen();
  events(started);
  expect(text("Hello the")).toEqual({ lines: [], live: ["  Hello"] });
  expect(text("Hello there.\n\nSecond li")).toEqual({ lines: ["", "  Hello there."], live: ["  Second"] });
  expect(events(replied("Hello there.\n\nSecond line."))).toEqual({ lines: ["", "  Second line."], live: [] });
});

test("nothing is printed twice", () => {
  const { events, take } = screen();
  events(started, replied("One."));
  expect(take()).toEqual({ lines: [], live: [] });
});

test("a call is printed when it ends, and running calls are shown below", () => {
  const { events } = screen();
  events(started);
  expect(events(replied("", "first", "second"), { type: "tool.started", callId: CallId.parse("s1.1") })).toEqual({
    lines: [],
    live: ["  … run     first                                      0 s", "  … run     second                                     0 s"],
  });
  expect(events(finished(2))).toEqual({
    lines: ["", "  ✓ run second"],
    live: ["  … run     first                                      0 s"],
  });
  expect(events(finished(1))).toEqual({ lines: ["  ✓ run first"], live: [] });
});

test("an interrupted reply is marked as such, and the new reply starts again", () => {
  const { events, text } = screen();
  events(started);
  text("Half a line\nand m");
  expect(events({ ...started, type: "model.started", attempt: 2 }).lines).toEqual(["", "  – interrupted; Baton asks the model again"]);
  expect(text("Half a line\n", 2).lines).toEqual(["", "  Half a line"]);
});

test("queued prompts are shown below until they are delivered", () => {
  const { events } = screen();
  const promptId = PromptId.parse("p1");
  expect(events({ type: "prompt.received", promptId, text: "later", delivery: "queue", mode: "code", by: { person: "terminal" } })).toEqual(
    { lines: [], live: ["  queued › later"] },
  );
  expect(events({ type: "prompt.delivered", promptIds: [promptId] }).lines[1]).toMatch(/^› later +\d\d:\d\d$/);
});

const CODE = `echo ${"0123456789 ".repeat(30)}end`;
const MIXED = `Before.\n\n\`\`\`sh\n${CODE}\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter ${"word ".repeat(80)}end.\n\n| last | row |`;

test("the printed text does not depend on how a reply is split, and code stays on one line and tables in columns", () => {
  const whole = screen().events(started, replied(MIXED)).lines;
  expect(whole.some((line) => line.includes(CODE))).toBe(true);
  expect(whole).toContain("  1  2");
  expect(whole.at(-1)).toBe("  last  row");
  for (const size of [1, 7, 40, 200]) {
    const { events, text } = screen();
    const printed = [...events(started).lines];
    for (let length = size; length < MIXED.length; length += size) {
      const { lines, live } = text(MIXED.slice(0, length));
      printed.push(...lines);
      for (const line of live) expect(line.length).toBeLessThanOrEqual(58);
    }
    printed.push(...events(replied(MIXED)).lines);
    expect(printed).toEqual(whole);
  }
});
