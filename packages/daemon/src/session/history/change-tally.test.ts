import { expect, test } from "vitest";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { sessionFileChanges } from "@baton/core/session/changed-files";
import { emptySummary, foldSummary, summaryOf } from "./session-summary.ts";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { fileHistory } from "@baton/core/session/undo";

const PATHS = ["a", "b", "c"];

/** Numbers from 0 to `below` - 1 that are the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** A log of edits, undos back to a random point and redos, as Baton writes it. */
function randomLog(seed: number): LoggedEvent[] {
  const random = randomFrom(seed);
  const events: LoggedEvent[] = [];
  let step = 0;
  const add = (type: LoggedEvent["type"], fields: object) => events.push({ type, seq: events.length + 1, at: 0, ...fields } as LoggedEvent); // the fields that are read
  const edit = () => {
    const [callId, path] = [`c${++step}`, PATHS[random(PATHS.length)] ?? ""];
    add("model.started", { step, model: "m", mode: "code" });
    add("model.replied", {
      step,
      text: "",
      parts: [],
      calls: [{ id: callId, tool: "edit_file", input: {}, label: { verb: "Edit" } }],
    });
    add("file.kept", { callId, path, before: `${step}` });
    add("file.changed", { callId, path, after: `${step + 1}` });
    add("tool.finished", {
      callId,
      result: { outcome: "ok", text: "", view: { type: "diff", path, change: "change", added: 2, removed: 1, hunks: [] } },
    });
  };
  for (let i = 0; i < 25; i++) {
    const { changes, undone } = fileHistory(events);
    const choice = random(4);
    if (choice < 2) edit();
    else if (choice === 2 && changes.length > 0) {
      const steps = events.filter(({ type }) => type === "model.started"); // an undo goes back to before a prompt
      const since = (steps[random(steps.length)]?.seq ?? 1) - 1;
      const restored = [...new Set(changes.filter(({ seq }) => seq > since).map(({ path }) => path))];
      add("undo.started", { since, files: restored.map((path) => ({ path, to: null })) });
      add("undo.finished", { since, restored, left: [], told: true });
    } else if (choice === 3 && undone.length > 0) {
      const { since = 0, files = [] } = undone.at(-1) ?? {};
      add("undo.started", { since, files });
      add("undo.finished", { since, redo: true, restored: files.map(({ path }) => path), left: [], told: true });
    }
  }
  return events;
}

test("lists of changed files and summaries count exactly the changes that undos and redos leave", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const events = randomLog(seed);
    const counts = Map.groupBy(fileHistory(events).changes, ({ path }) => path);
    const expected = [...counts].map(([path, { length }]) => ({ path, added: 2 * length, removed: length })).sort(byPath);
    const listed = sessionFileChanges(transcriptOf(events).entries).map(({ path, added, removed }) => ({ path, added, removed }));
    expect([seed, listed.sort(byPath)]).toEqual([seed, expected]);
    const cut = seed % events.length; // a summary is folded in parts
    const summary = summaryOf(foldSummary(foldSummary(emptySummary, events.slice(0, cut)), events.slice(cut)));
    const added = expected.reduce((sum, file) => sum + file.added, 0);
    expect([seed, summary.files, summary.added, summary.removed]).toEqual([seed, expected.length, added, added / 2]);
  }
});

const byPath = (one: { path: string }, other: { path: string }): number => one.path.localeCompare(other.path);
