import { CallId } from "../protocol/ids.ts";
import { expect, test } from "vitest";
import { noStreams, addFrame } from "./streaming-state.ts";

test("text that arrives again after a lost connection replaces the old text", () => {
  const streams = noStreams();
  addFrame(streams, { type: "text", step: 1, attempt: 1, offset: 0, text: "one two" });
  addFrame(streams, { type: "text", step: 1, attempt: 1, offset: 4, text: "two three" });
  expect(streams.reply?.text).toBe("one two three");
  addFrame(streams, { type: "text", step: 1, attempt: 2, offset: 0, text: "anew" });
  expect(streams.reply?.text).toBe("anew");
});

test("the end of a long output is kept", () => {
  const streams = noStreams();
  const callId = CallId.parse("s1.1");
  for (let i = 0; i < 100; i++) addFrame(streams, { type: "output", callId, offset: i * 1_000, text: "x".repeat(999) + "\n" });
  expect(streams.outputs.get(callId)?.text.length).toBeLessThan(20_000);
});

test("output that arrives again from its start appears once", () => {
  const streams = noStreams();
  const callId = CallId.parse("s1.1");
  for (const text of ["one\n", "two\n"]) addFrame(streams, { type: "output", callId, offset: text === "one\n" ? 0 : 4, text });
  addFrame(streams, { type: "output", callId, offset: 0, text: "one\ntwo\nthree\n" });
  expect(streams.outputs.get(callId)?.text).toBe("one\ntwo\nthree\n");
});
