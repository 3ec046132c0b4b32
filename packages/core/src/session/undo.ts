import { omitUndefined } from "../text/omit-undefined.ts";
import type { LoggedEvent, FileRestore, RestoredHunk } from "../protocol/event.ts";

/** A file that a call changed, with hashes of its content before and after. Null: there was no file. Undefined: unknown. */
export type FileChange = { path: string; before: string | null; after: string | null | undefined; mode?: number | undefined; seq: number };

/** An undo that can be redone: what it did to files, and the changes that it undid. With `hunk` it undid a part of a change. */
export type UndoneChanges = { since: number; files: FileRestore[]; changes: FileChange[]; hunk?: RestoredHunk | undefined };

/** The changes by calls that are not undone, oldest first. */
export const currentFileChanges = (events: readonly LoggedEvent[]): FileChange[] => fileHistory(events).changes;

/** The same, with the undos that can be redone, newest last. Reads the whole log, because a rewind restores no files. */
export function fileHistory(events: readonly LoggedEvent[]): { changes: FileChange[]; undone: UndoneChanges[] } {
  let changes: FileChange[] = [];
  const undone: UndoneChanges[] = [];
  let files: FileRestore[] = [];
  let some = false;
  const open = new Map<string, FileChange>();
  for (const event of events) {
    if (event.type === "file.kept") {
      const change: FileChange = { path: event.path, before: event.before, after: undefined, mode: event.mode, seq: event.seq };
      open.set(`${event.callId} ${event.path}`, change);
      changes.push(change);
    } else if (event.type === "file.changed") {
      const change = open.get(`${event.callId} ${event.path}`);
      if (change) change.after = event.after;
    } else if (event.type === "undo.started") {
      files = event.files;
      some = event.some === true;
    } else if (event.type === "undo.finished") {
      const left = new Set(event.left.map(({ path }) => path));
      const of = (each: { path: string }) => left.has(each.path);
      if (event.hunk) {
        const restore = event.redo ? undone.at(-1)?.files[0] : files[0];
        if (!restore || of(restore)) continue;
        const change = changes.findLast(({ path }) => path === restore.path);
        if (change) change.after = event.redo ? restore.was : restore.to;
        if (event.redo) undone.pop();
        else undone.push({ since: event.since, files, changes: [], hunk: event.hunk });
      } else if (event.redo) {
        const last = undone.pop();
        changes = [...changes, ...(last?.changes ?? []).filter((each) => !of(each))].toSorted((a, b) => a.seq - b.seq);
        const rest = { since: event.since, files: (last?.files ?? []).filter(of), changes: (last?.changes ?? []).filter(of) };
        if (rest.files.length > 0) undone.push(rest);
      } else {
        const isMeant = (change: FileChange) => !some || files.some(({ path }) => path === change.path);
        const isTaken = (change: FileChange) => change.seq > event.since && isMeant(change) && !of(change);
        undone.push({ since: event.since, files: files.filter((each) => !of(each)), changes: changes.filter(isTaken) });
        changes = changes.filter((change) => !isTaken(change));
      }
    }
  }
  return { changes: changes.filter(({ before, after }) => before !== after), undone };
}

/** The restores that redo an undo. Files whose content was not kept then are left out. */
export const redoRestores = ({ files }: UndoneChanges): FileRestore[] =>
  files.flatMap(({ path, to, was, wasMode }) =>
    was === undefined || was === to ? [] : [{ path, to: was, expect: to, ...omitUndefined({ mode: wasMode }) }],
  );

/** The restores that bring every file changed after `since` back to its content at that time. */
export function restoresSince(changes: readonly FileChange[], since: number): FileRestore[] {
  const byPath = new Map<string, FileRestore>(); // the content before the first change
  for (const { path, before, after, mode, seq } of changes) {
    if (seq <= since) continue;
    const first = byPath.get(path) ?? { path, to: before, ...omitUndefined({ mode }) };
    const { expect: _, ...was } = first;
    byPath.set(path, { ...was, ...omitUndefined({ expect: after }) });
  }
  return [...byPath.values()].filter(({ to, expect }) => to !== expect);
}

/** The seq at which the newest turn that changed files started. Undefined if there is none. */
export function newestChangingTurnSeq(changes: readonly FileChange[], events: readonly LoggedEvent[]): number | undefined {
  const last = changes.at(-1);
  if (!last) return undefined;
  let begin = 0;
  let running = false;
  for (const event of events) {
    if (event.seq >= last.seq) break;
    if (event.type === "prompt.delivered" && !running) {
      begin = event.seq;
      running = true;
    }
    if (event.type === "turn.ended") running = false;
  }
  return begin;
}
