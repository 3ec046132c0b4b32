import { CallId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { noStreams, takeFrame } from "./streams.ts";

test("what comes again after a lost connection overwrites", () => {
  const streams = noStreams();
  takeFrame(streams, { type: "text", step: 1, attempt: 1, offset: 0, text: "one two" });
  takeFrame(streams, { type: "text", step: 1, attempt: 1, offset: 4, text: "two three" });
  expect(streams.reply?.text).toBe("one two three");
  takeFrame(streams, { type: "text", step: 1, attempt: 2, offset: 0, text: "anew" });
  expect(streams.reply?.text).toBe("anew");
});

test("of a long output the end is kept", () => {
  const streams = noStreams();
  const callId = CallId.parse("s1.1");
  for (let i = 0; i < 100; i++) takeFrame(streams, { type: "output", callId, offset: i * 1_000, text: "x".repeat(999) + "\n" });
  expect(streams.outputs.get(callId)?.text.length).toBeLessThan(20_000);
});

test("the output of a command that comes again from its start stands there once", () => {
  const streams = noStreams();
  const callId = CallId.parse("s1.1");
  for (const text of ["one\n", "two\n"]) takeFrame(streams, { type: "output", callId, offset: text === "one\n" ? 0 : 4, text });
  takeFrame(streams, { type: "output", callId, offset: 0, text: "one\ntwo\nthree\n" });
  expect(streams.outputs.get(callId)?.text).toBe("one\ntwo\nthree\n");
});
