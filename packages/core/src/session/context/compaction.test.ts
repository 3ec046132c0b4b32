import { expect, test } from "vitest";
import { asked, delivered, drawn, ended, finished, stateAfter, logged, prompted, replied, started } from "../../../test/session-events.ts";
import type { SessionEvent } from "../../protocol/event.ts";
import { factsToKeep } from "./compaction-input.ts";
import { foldEffective } from "../effective-events.ts";
import { buildMessages } from "./build-messages.ts";
import { nextEffects } from "../next-effects.ts";
import { maxInputTokens } from "./context-budget.ts";
import { outputsToPrune, imagesToPrune, findRecentTail } from "./prune-context.ts";

const me = { person: "test" };
const wanted: SessionEvent = { type: "compaction.wanted", by: me };
const usage = { input: 1, cachedInput: 0, output: 1, cost: 0.5 };
const compacted = (firstKept: number): SessionEvent => ({
  type: "context.compacted",
  summary: "IN SHORT",
  kept: firstKept,
  before: 100,
  after: 10,
  model: "m",
  usage,
  tookMs: 1,
});
const output = (characters: number) => ({ outcome: "ok" as const, text: "x".repeat(characters) });
const whole = [
  ...asked("a"),
  finished("s1.1", output(400)),
  started(2),
  replied(2, "two", "b"),
  finished("s2.1", output(400)),
  started(3),
  replied(3, "ok"),
];
const messagesOf = (...events: SessionEvent[]) => buildMessages(drawn(...events), new WeakMap());
const full = (input: number): SessionEvent[] => [
  prompted("hi"),
  delivered("hi"),
  { ...started(1), room: { context: 1_000, output: 100 } } as SessionEvent,
  { ...replied(1, "", "a"), usage: { ...usage, input } },
  finished("s1.1"),
];

test("the summary replaces everything before the kept event, and rewinding restores it", () => {
  const { entries } = drawn(...whole);
  const second = entries.find((entry) => entry.kind === "reply" && entry.step === 2);
  const short = messagesOf(...whole, ended("completed"), compacted(second?.seq ?? 0));
  expect(short.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(short[0]).toMatchObject({ text: expect.stringContaining("IN SHORT") as unknown, replies: 1 });
  const before = messagesOf(...whole, ended("completed"));
  const to = whole.length + 2;
  expect(
    messagesOf(...whole, ended("completed"), compacted(second?.seq ?? 0), { type: "session.rewound", to, step: 3, turn: 1, by: me }),
  ).toEqual(before);
});

test("old outputs are removed, each call keeps its result, and rewinding restores the outputs", () => {
  const pruned: SessionEvent = { type: "context.pruned", step: 1, before: 9, after: 5 };
  const results = (...events: SessionEvent[]) =>
    messagesOf(...events).flatMap((message) => (message.role === "tool" ? message.results.map(({ text }) => text.length) : []));
  expect(results(...whole, pruned)[0]).toBeLessThan(100);
  expect(results(...whole, pruned)[1]).toBe(400);
  expect(results(...whole, pruned, { type: "session.rewound", to: whole.length + 1, step: 3, turn: 1, by: me })).toEqual([400, 400]);
});

test("the newest step's output stays, whatever its length", () => {
  const { entries } = drawn(...whole.slice(0, -2));
  expect(outputsToPrune(entries, 0)).toEqual({ step: 1, gain: 100 });
  expect(outputsToPrune(entries, 100)).toEqual({ step: 0, gain: 0 });
});

const picture = { blob: "a".repeat(64), mediaType: "image/png" as const };
const seen = { outcome: "ok" as const, text: "a.png", images: [picture] };
const looked = [...asked("a"), finished("s1.1", seen), started(2), replied(2, "two", "b"), finished("s2.1", seen)];

test("images of old steps are removed and the text about them stays, and rewinding restores the images", () => {
  const pruned: SessionEvent = { type: "context.pruned", step: 1, only: "images", before: 9, after: 5 };
  const results = (...events: SessionEvent[]) =>
    messagesOf(...events).flatMap((message) =>
      message.role === "tool" ? message.results.map(({ text, images }) => [text, images?.length]) : [],
    );
  expect(results(...looked)).toEqual([
    ["a.png", 1],
    ["a.png", 1],
  ]);
  expect(results(...looked, pruned)).toEqual([
    [expect.stringMatching(/^a\.png\n.*no longer sent/), undefined],
    ["a.png", 1],
  ]);
  expect(results(...looked, pruned, { type: "session.rewound", to: looked.length, step: 2, turn: 1, by: me })).toEqual(results(...looked));
});

test("the newest step's images stay, unless there are no others and the provider refuses them", () => {
  const { entries } = drawn(...looked);
  expect(imagesToPrune(entries, "stay")).toEqual({ step: 1, gain: 1_200 });
  const newest = drawn(...looked, { type: "context.pruned", step: 1, only: "images", before: 9, after: 5 }).entries;
  expect([imagesToPrune(newest, "stay").step, imagesToPrune(newest, "last").step]).toEqual([0, 2]);
  expect([imagesToPrune(entries, "last").step, imagesToPrune(entries, "go").step]).toEqual([1, 2]);
});

test("a step that was refused because of an image is repeated without it, and if there is none to remove, the turn ends with the provider's message", () => {
  const refused: SessionEvent = { type: "model.failed", step: 3, code: "bad_picture", message: "not this one" };
  const turn = [...looked, started(3), refused];
  expect(nextEffects(stateAfter(...turn))).toMatchObject([{ do: "compact", reason: "bad_picture" }]);
  const gone: SessionEvent = { type: "context.pruned", step: 2, only: "images", before: 9, after: 5 };
  expect(nextEffects(stateAfter(...turn, gone))).toMatchObject([{ do: "awaitRetry", step: 3, attempt: 2 }]);
  const none: SessionEvent = { type: "compaction.failed", reason: "little", message: "no" };
  expect(nextEffects(stateAfter(...turn, none))).toMatchObject([{ do: "endTurn", reason: "failed", message: "not this one" }]);
});

test("an image counts towards the size of the conversation", () => {
  expect(stateAfter(...looked).since - stateAfter(...asked("a"), started(2), replied(2, "two", "b")).since).toBeGreaterThan(1_200 * 4);
});

test("images of earlier steps are removed if they have many bytes, and those of the newest step stay", () => {
  const large = { ...seen, images: [{ ...picture, bytes: 13_000_000 }] };
  const first = [...asked("a"), finished("s1.1", large)];
  const second = [...first, started(2), replied(2, "", "b"), finished("s2.1", large)];
  expect(nextEffects(stateAfter(...first))).toMatchObject([{ do: "startModel" }]);
  expect(nextEffects(stateAfter(...second))).toMatchObject([{ do: "compact", reason: "pictures" }]);
  const gone: SessionEvent = { type: "context.pruned", step: 1, only: "images", before: 9, after: 5 };
  expect(nextEffects(stateAfter(...second, gone))).toMatchObject([{ do: "startModel" }]);
});

test("the kept end starts with a prompt or a reply, and is never the whole conversation", () => {
  const { entries } = drawn(...whole);
  const at = (keep: number) => entries.find(({ seq }) => seq === findRecentTail(entries, keep)?.seq)?.kind;
  expect([at(0), at(110), at(10_000)]).toEqual(["reply", "reply", undefined]);
});

test("a conversation near the window is shortened before the next step, and at once if the user asks", () => {
  expect(maxInputTokens({ context: 1_000, output: 100 })).toBe(900);
  expect(nextEffects(stateAfter(...full(800))).map((effect) => effect.do)).toEqual(["startModel"]);
  expect(nextEffects(stateAfter(...full(950)))).toMatchObject([{ do: "compact", reason: "limit" }]);
  expect(nextEffects(stateAfter(...whole, ended("completed"), wanted, prompted("more")))).toMatchObject([
    { do: "compact", reason: "asked" },
  ]);
  expect(nextEffects(stateAfter(...whole, ended("completed"), wanted, compacted(1), prompted("more")))).toMatchObject([{ do: "deliver" }]);
});

test("a step that was too long is repeated after shortening, and without a gain the turn ends with the provider's message", () => {
  const overflow: SessionEvent = { type: "model.failed", step: 2, code: "overflow", message: "too long" };
  const tooLong = [...full(100), started(2), overflow];
  expect(nextEffects(stateAfter(...tooLong))).toMatchObject([{ do: "compact", reason: "overflow" }]);
  expect(nextEffects(stateAfter(...tooLong, compacted(1)))).toMatchObject([{ do: "awaitRetry", step: 2, attempt: 2 }]);
  const little: SessionEvent = { type: "compaction.failed", reason: "little", message: "no" };
  expect(nextEffects(stateAfter(...tooLong, little))).toMatchObject([{ do: "endTurn", reason: "failed", message: "too long" }]);
});

test("the cost of a summary stays, even after rewinding", () => {
  const events = logged([...whole, ended("completed"), compacted(1), { type: "session.rewound", to: 1, step: 3, turn: 1, by: me }]);
  expect(foldEffective(events).usage.cost).toBe(0.5);
});

test("the user's words, open todos and changed files are kept beside the summary", () => {
  const write = {
    outcome: "ok" as const,
    text: "",
    view: { type: "diff" as const, path: "src/a.ts", change: "create" as const, added: 1, removed: 0, hunks: [] },
  };
  const { entries } = drawn(...asked("a"), finished("s1.1", write), prompted("also this"), delivered("also this"));
  const facts = factsToKeep(entries, [
    { text: "done", state: "done" },
    { text: "paint", state: "open" },
  ]);
  for (const fact of ["also this", "- hi", "[ ] paint", "src/a.ts"]) expect(facts).toContain(fact);
  expect(facts).not.toContain("[ ] done");
});
