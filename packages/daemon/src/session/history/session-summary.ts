import type { LoggedEvent } from "@baton/core/protocol/event";
import { addChange, addUndo, copyFileChanges, noFileChanges, type NetFileChanges } from "@baton/core/session/net-file-changes";

/** The facts of a session that a list shows beyond its row, folded from its events up to `seq`. */
export type SummaryFold = {
  seq: number;
  changes: NetFileChanges;
  /** The last line of the newest prompt, reply or error. */
  lastLine: string;
};

export type SessionSummary = { seq: number; files: number; added: number; removed: number; lastLine: string };

export const emptySummary: SummaryFold = { seq: 0, changes: noFileChanges(), lastLine: "" };

export function foldSummary(before: SummaryFold, events: readonly LoggedEvent[]): SummaryFold {
  const changes = copyFileChanges(before.changes);
  let { seq, lastLine } = before;
  for (const event of events) {
    seq = event.seq;
    if (event.type === "prompt.received" || event.type === "model.replied") lastLine = lastLineOf(event.text) || lastLine;
    if (event.type === "turn.ended") lastLine = lastLineOf(event.message ?? "") || lastLine;
    if (event.type === "undo.finished") addUndo(changes, event);
    const view = event.type === "tool.finished" && event.result.outcome === "ok" ? event.result.view : undefined;
    if (view?.type === "diff") addChange(changes, view.path, { seq, added: view.added, removed: view.removed, hunks: [] });
  }
  return { seq, changes, lastLine };
}

export function summaryOf({ seq, changes: { files }, lastLine }: SummaryFold): SessionSummary {
  const sums = [...files.values()].flat();
  const sum = (of: "added" | "removed") => sums.reduce((all, each) => all + each[of], 0);
  return { seq, files: files.size, added: sum("added"), removed: sum("removed"), lastLine };
}

const MAX_LINE = 300;

/** The last line with a letter or a digit, because a list shows one line. The end of a code block has none. */
function lastLineOf(text: string): string {
  const lines = text.slice(-10_000).split("\n");
  return (
    lines
      .findLast((line) => /[\p{L}\p{N}]/u.test(line))
      ?.trim()
      .slice(0, MAX_LINE) ?? ""
  );
}
