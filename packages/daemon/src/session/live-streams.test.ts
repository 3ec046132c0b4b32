import type { CallId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { LiveStreams, streamStart } from "./live-streams.ts";

const call = "s1.1" as CallId;

test("a reader gets only new text, with its offset", () => {
  const live = new LiveStreams();
  const early = streamStart();
  live.addPart(1, 1, { type: "text", text: "Hel" });
  expect(live.framesSince(early)).toEqual([{ type: "text", step: 1, attempt: 1, offset: 0, text: "Hel" }]);
  live.addPart(1, 1, { type: "text", text: "lo" });
  expect(live.framesSince(early)).toEqual([{ type: "text", step: 1, attempt: 1, offset: 3, text: "lo" }]);
  expect(live.framesSince(streamStart())).toEqual([{ type: "text", step: 1, attempt: 1, offset: 0, text: "Hello" }]);
  expect(live.framesSince(early)).toEqual([]);
});

test("another attempt starts at offset 0", () => {
  const live = new LiveStreams();
  const seen = streamStart();
  live.addPart(1, 1, { type: "text", text: "half" });
  live.framesSince(seen);
  live.addPart(1, 2, { type: "text", text: "whole" });
  expect(live.framesSince(seen)).toEqual([{ type: "text", step: 1, attempt: 2, offset: 0, text: "whole" }]);
});

test("only the end of a long output is kept, with its offset", () => {
  const live = new LiveStreams();
  live.output(call, "a".repeat(100_000));
  live.output(call, "b");
  const [frame] = live.framesSince(streamStart());
  expect(frame).toMatchObject({ type: "output", callId: call, offset: 100_001 - 64 * 1024 });
});

test("a store that cannot be written is reported once, and so is its recovery", () => {
  const live = new LiveStreams();
  const seen = streamStart();
  live.stall("full");
  expect(live.framesSince(seen)).toEqual([{ type: "stalled", message: "full" }]);
  expect(live.framesSince(seen)).toEqual([]);
  live.stall(null);
  expect(live.framesSince(seen)).toEqual([{ type: "stalled", message: null }]);
});

test("the next change wakes every waiter", async () => {
  const live = new LiveStreams();
  const changed = live.changed();
  live.addPart(1, 1, { type: "text", text: "x" });
  await changed;
  const next = live.changed();
  expect(await Promise.race([next.then(() => "woken"), Promise.resolve("asleep")])).toBe("asleep");
});
