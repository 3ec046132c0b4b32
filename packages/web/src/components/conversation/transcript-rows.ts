import { entryKind } from "@baton/core/session/transcript/entry";
import type { CallEntry, EndEntry, Entry } from "@baton/core/session/transcript/entry";
import { isNotable, turnSummary, type TurnSummary } from "./turn-summary.ts";

/** A row of the transcript: an entry, or a run of collapsed calls. `tight` rows follow the row above without a gap. */
export type ConversationRow =
  | { kind: "entry"; id: string; entry: Entry; tight: boolean }
  | { kind: "quiet"; id: string; calls: readonly CallEntry[]; tight: boolean }
  /** The end of a turn with its summary. */
  | { kind: "end"; id: string; entry: EndEntry; turn: TurnSummary; tight: boolean };

/** The event with which a row begins. A prompt begins where it was received. */
export function rowSeq(row: ConversationRow): number {
  if (row.kind === "quiet") return row.calls[0]?.seq ?? 0;
  return row.entry.kind === "prompt" ? row.entry.receivedSeq : row.entry.seq;
}

/**
 * Whether a call can be collapsed: it succeeded without a request, and its view is only text or file references. A background command is
 * never collapsed, because it may still run.
 */
const isCollapsed = (entry: Entry): entry is Entry & CallEntry =>
  entry.kind === "call" &&
  entry.phase === "ok" &&
  entry.tool !== "run_command" &&
  !entry.request &&
  !entry.result?.ends &&
  !entry.result?.images &&
  !entry.result?.child &&
  !entry.delegated &&
  QUIET.has(entry.result?.view?.type ?? "none");

const QUIET = new Set(["none", "text", "files"]);

/**
 * The rows of a part of the transcript. Runs of two or more collapsible calls become one row, so that a running call keeps
 * its height. An unchanged row of `before` is reused, so that it is not redrawn.
 */
export function transcriptRows(
  entries: readonly Entry[],
  hidden: ReadonlySet<string>,
  before: ReadonlyMap<string, ConversationRow>,
): ConversationRow[] {
  const rows: ConversationRow[] = [];
  let run: (Entry & CallEntry)[] = [];
  const put = (row: ConversationRow) => rows.push(same(before.get(row.id), row));
  const tight = (entry: Entry) => {
    const previous = rows.at(-1);
    const kind =
      previous === undefined || previous.kind === "end" ? undefined : previous.kind === "quiet" ? "call" : entryKind(previous.entry);
    return kind === entryKind(entry) && (kind === "call" || kind === "transition");
  };
  const endRun = () => {
    const [first] = run;
    if (first) put(run.length === 1 ? entryRow(first, tight(first)) : { kind: "quiet", id: first.id, calls: run, tight: tight(first) });
    run = [];
  };
  const replaced = replacedLists(entries);
  let begin = 0;
  for (const [i, entry] of entries.entries()) {
    if (entry.kind === "end") {
      const turn = turnSummary(entries.slice(begin, i), entry);
      begin = i + 1;
      if (!isNotable(turn) && isNothing(entry)) continue;
      endRun();
      put({ kind: "end", id: entry.id, entry, turn, tight: false });
      continue;
    }
    if (isNothing(entry) || hidden.has(entry.id) || replaced.has(entry.id)) continue;
    if (isCollapsed(entry)) {
      run.push(entry);
      continue;
    }
    endRun();
    put(entryRow(entry, tight(entry)));
  }
  endRun();
  return rows;
}

const entryRow = (entry: Entry, tight: boolean): ConversationRow => ({ kind: "entry", id: entry.id, entry, tight });

/** The to-do lists that a later call of the same turn replaced. Only the newest list is shown. */
function replacedLists(entries: readonly Entry[]): ReadonlySet<string> {
  const replaced = new Set<string>();
  let newest: CallEntry | undefined;
  for (const entry of entries) {
    if (entry.kind === "prompt" && entry.synthetic === undefined) newest = undefined;
    if (entry.kind !== "call" || entry.phase !== "ok" || entry.result?.view?.type !== "list") continue;
    if (newest) replaced.add(newest.id);
    newest = entry;
  }
  return replaced;
}

/** Replies that only called tools, and turns that ended normally, show nothing. */
function isNothing(entry: Entry): boolean {
  if (entry.kind === "end") return entry.reason === "completed" && entry.empty !== true && entry.message === undefined;
  return (
    entry.kind === "reply" &&
    entry.phase !== "running" &&
    entry.text.trim() === "" &&
    !entry.failure &&
    !entry.reasoning?.trim() &&
    !entry.modelBefore
  );
}

function same(old: ConversationRow | undefined, row: ConversationRow): ConversationRow {
  if (!old || old.tight !== row.tight) return row;
  if (old.kind === "entry" && row.kind === "entry") return old.entry === row.entry ? old : row;
  if (old.kind === "end" && row.kind === "end") return old.entry === row.entry && old.turn.prompt === row.turn.prompt ? old : row;
  if (old.kind === "quiet" && row.kind === "quiet")
    return old.calls.length === row.calls.length && old.calls.every((call, i) => call === row.calls[i]) ? old : row;
  return row;
}
