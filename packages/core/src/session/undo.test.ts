import { expect, test } from "vitest";
import { delivered, ended, logged } from "../../test/session-events.ts";
import type { SessionEvent } from "../protocol/event.ts";
import type { CallId } from "../protocol/ids.ts";
import { currentFileChanges, fileHistory, newestChangingTurnSeq, redoRestores, restoresSince } from "./undo.ts";

const snapshotOf = (callId: string, path: string, before: string | null): SessionEvent => ({
  type: "file.kept",
  callId: callId as CallId,
  path,
  before,
});
const changed = (callId: string, path: string, after: string | null): SessionEvent => ({
  type: "file.changed",
  callId: callId as CallId,
  path,
  after,
});

test("an undo restores the file from before the first change, and requires the content after the last change", () => {
  const events = logged([
    snapshotOf("1", "a", "A"),
    changed("1", "a", "B"),
    snapshotOf("2", "a", "B"),
    changed("2", "a", "C"),
    snapshotOf("2", "n", null),
    changed("2", "n", "N"),
  ]);
  expect(restoresSince(currentFileChanges(events), 0)).toEqual([
    { path: "a", to: "A", expect: "C" },
    { path: "n", to: null, expect: "N" },
  ]);
  expect(restoresSince(currentFileChanges(events), 2)).toEqual([
    { path: "a", to: "B", expect: "C" },
    { path: "n", to: null, expect: "N" },
  ]);
});

test("a call that a crash interrupted leaves an unknown change", () =>
  expect(restoresSince(currentFileChanges(logged([snapshotOf("1", "a", "A")])), 0)).toEqual([{ path: "a", to: "A" }]));

test("a change that was undone no longer counts, except for the part that remained", () => {
  const undone: SessionEvent = {
    type: "undo.finished",
    since: 0,
    restored: ["a"],
    left: [{ path: "b", why: "changed since" }],
    told: true,
  };
  const events = logged([snapshotOf("1", "a", "A"), changed("1", "a", "B"), snapshotOf("1", "b", "A"), changed("1", "b", "B"), undone]);
  expect(currentFileChanges(events).map(({ path }) => path)).toEqual(["b"]);
});

test("a file with its original content needs no undo", () =>
  expect(
    restoresSince(
      currentFileChanges(logged([snapshotOf("1", "a", "A"), changed("1", "a", "B"), snapshotOf("2", "a", "B"), changed("2", "a", "A")])),
      0,
    ),
  ).toEqual([]));

test("the newest turn that changed files is found by its start", () => {
  const events = logged([
    delivered("one"),
    snapshotOf("1", "a", "A"),
    changed("1", "a", "B"),
    ended("completed"),
    delivered("two"),
    ended("completed"),
  ]);
  expect(newestChangingTurnSeq(currentFileChanges(events), events)).toBe(1);
  expect(newestChangingTurnSeq([], events)).toBeUndefined();
});

test("an undo of some files leaves the changes of all others", () => {
  const events = logged([
    snapshotOf("1", "a", "A"),
    changed("1", "a", "B"),
    snapshotOf("1", "b", "A"),
    changed("1", "b", "B"),
    { type: "undo.started", since: 0, files: [{ path: "a", to: "A", expect: "B" }], told: true, some: true, by: { person: "page" } },
    { type: "undo.finished", since: 0, restored: ["a"], left: [], told: true },
  ]);
  expect(currentFileChanges(events).map(({ path }) => path)).toEqual(["b"]);
});

const hunkRestored = (at: number, redo?: true): SessionEvent[] => [
  {
    type: "undo.started",
    since: at,
    files: [redo ? { path: "a", to: "C", expect: "B" } : { path: "a", to: "B", expect: "C", was: "C" }],
    told: true,
    some: true,
    hunk: { added: 1, removed: 2 },
    ...(redo ? { redo } : {}),
    by: { person: "page" },
  },
  { type: "undo.finished", since: at, hunk: { added: 1, removed: 2 }, ...(redo ? { redo } : {}), restored: ["a"], left: [], told: true },
];

test("undoing a hunk keeps the rest of the change with a new end, and a redo restores the hunk", () => {
  const change = [snapshotOf("1", "a", "A"), changed("1", "a", "C")];
  const without = logged([...change, ...hunkRestored(2)]);
  expect(restoresSince(currentFileChanges(without), 0)).toEqual([{ path: "a", to: "A", expect: "B" }]);
  expect(fileHistory(without).undone.map(redoRestores)).toEqual([[{ path: "a", to: "C", expect: "B" }]]);
  const again = logged([...change, ...hunkRestored(2), ...hunkRestored(2, true)]);
  expect(restoresSince(currentFileChanges(again), 0)).toEqual([{ path: "a", to: "A", expect: "C" }]);
  expect(fileHistory(again).undone).toEqual([]);
});
