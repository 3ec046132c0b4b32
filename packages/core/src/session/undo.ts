import type { Logged, Restoring } from "../protocol/event.ts";

/** A file that a call changed: the hashes of its content before and after; null where there was none, undefined where nobody knows. */
export type FileChange = { path: string; before: string | null; after: string | null | undefined; mode?: number | undefined; seq: number };

/** What calls changed and nobody has taken back, oldest first. Looks at the whole log: rewinding takes no file back. */
export function changesOf(events: readonly Logged[]): FileChange[] {
  let changes: FileChange[] = [];
  const open = new Map<string, FileChange>();
  for (const event of events) {
    if (event.type === "file.kept") {
      const change: FileChange = { path: event.path, before: event.before, after: undefined, mode: event.mode, seq: event.seq };
      open.set(`${event.callId} ${event.path}`, change);
      changes.push(change);
    } else if (event.type === "file.changed") {
      const change = open.get(`${event.callId} ${event.path}`);
      if (change) change.after = event.after;
    } else if (event.type === "undo.finished") {
      const left = new Set(event.left.map(({ path }) => path));
      changes = changes.filter(({ seq, path }) => seq <= event.since || left.has(path));
    }
  }
  return changes.filter(({ before, after }) => before !== after);
}

/** How every file that was changed after `since` becomes what it was then. */
export function restoringSince(changes: readonly FileChange[], since: number): Restoring[] {
  const byPath = new Map<string, Restoring>(); // what a file was before the first change
  for (const { path, before, after, mode, seq } of changes) {
    if (seq <= since) continue;
    const first = byPath.get(path) ?? { path, to: before, ...(mode === undefined ? {} : { mode }) };
    const { expect: _, ...was } = first;
    byPath.set(path, { ...was, ...(after === undefined ? {} : { expect: after }) });
  }
  return [...byPath.values()].filter(({ to, expect }) => to !== expect);
}

/** Where the newest turn that changed files began, as a seq; undefined when there is none. */
export function newestTurnWith(changes: readonly FileChange[], events: readonly Logged[]): number | undefined {
  const last = changes.at(-1);
  if (!last) return undefined;
  let begin = 0;
  let running = false;
  for (const event of events) {
    if (event.seq >= last.seq) break;
    if (event.type === "prompt.delivered" && !running) [begin, running] = [event.seq, true];
    if (event.type === "turn.ended") running = false;
  }
  return begin;
}
