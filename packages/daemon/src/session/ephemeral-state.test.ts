import type { CallId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { EphemeralState, streamStart } from "./ephemeral-state.ts";

const call = "s1.1" as CallId;

test("a reader gets what is new to it, with its offset", () => {
  const live = new EphemeralState();
  const early = streamStart();
  live.addPart(1, 1, { type: "text", text: "Hel" });
  expect(live.framesSince(early)).toEqual([{ type: "text", step: 1, attempt: 1, offset: 0, text: "Hel" }]);
  live.addPart(1, 1, { type: "text", text: "lo" });
  expect(live.framesSince(early)).toEqual([{ type: "text", step: 1, attempt: 1, offset: 3, text: "lo" }]);
  expect(live.framesSince(streamStart())).toEqual([{ type: "text", step: 1, attempt: 1, offset: 0, text: "Hello" }]);
  expect(live.framesSince(early)).toEqual([]);
});

test("another attempt begins anew", () => {
  const live = new EphemeralState();
  const seen = streamStart();
  live.addPart(1, 1, { type: "text", text: "half" });
  live.framesSince(seen);
  live.addPart(1, 2, { type: "text", text: "whole" });
  expect(live.framesSince(seen)).toEqual([{ type: "text", step: 1, attempt: 2, offset: 0, text: "whole" }]);
});

test("output keeps its end, and says where that begins", () => {
  const live = new EphemeralState();
  live.output(call, "a".repeat(100_000));
  live.output(call, "b");
  const [frame] = live.framesSince(streamStart());
  expect(frame).toMatchObject({ type: "output", callId: call, offset: 100_001 - 64 * 1024 });
});

test("a store that cannot be written is told once, and its recovery too", () => {
  const live = new EphemeralState();
  const seen = streamStart();
  live.stall("full");
  expect(live.framesSince(seen)).toEqual([{ type: "stalled", message: "full" }]);
  expect(live.framesSince(seen)).toEqual([]);
  live.stall(null);
  expect(live.framesSince(seen)).toEqual([{ type: "stalled", message: null }]);
});

test("whoever waits is woken by the next change", async () => {
  const live = new EphemeralState();
  const changed = live.changed();
  live.addPart(1, 1, { type: "text", text: "x" });
  await changed;
  const next = live.changed();
  expect(await Promise.race([next.then(() => "woken"), Promise.resolve("asleep")])).toBe("asleep");
});
