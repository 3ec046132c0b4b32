import { expect, test } from "vitest";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { emptySummary, foldSummary, summaryOf } from "./session-summary.ts";

let seq = 0;
const event = (type: LoggedEvent["type"], fields: object) => ({ type, seq: ++seq, at: 0, ...fields }) as LoggedEvent; // the fields that a summary reads

const edit = (path: string, added: number, removed: number, outcome = "ok") =>
  event("tool.finished", { result: { outcome, text: "", view: { type: "diff", path, added, removed } } });

test("a summary adds up the changes of each file and leaves out those that an undo restored", () => {
  const events = [edit("a.ts", 3, 1), edit("a.ts", 2, 0), edit("b.ts", 5, 5), edit("c.ts", 9, 9, "failed")];
  const first = foldSummary(emptySummary, events);
  expect(summaryOf(first)).toMatchObject({ files: 2, added: 10, removed: 6, seq: events.at(-1)?.seq });
  expect(summaryOf(foldSummary(first, [event("undo.finished", { restored: ["a.ts"] })]))).toMatchObject({ files: 1, added: 5, removed: 5 });
  expect(summaryOf(first).files).toBe(2);
});

test("the last line comes from the newest prompt, reply or error with text", () => {
  const fold = foldSummary(emptySummary, [event("prompt.received", { text: "Fix it" })]);
  expect(fold.lastLine).toBe("Fix it");
  const replied = foldSummary(fold, [
    event("model.replied", { text: "I look at it.\n\nIt is fixed.\n\n---\n" }),
    event("model.replied", { text: "" }),
  ]);
  expect(replied.lastLine).toBe("It is fixed.");
  expect(foldSummary(replied, [event("turn.ended", { reason: "completed" })]).lastLine).toBe("It is fixed.");
  expect(foldSummary(replied, [event("turn.ended", { reason: "failed", message: "The key is invalid." })]).lastLine).toBe(
    "The key is invalid.",
  );
});
