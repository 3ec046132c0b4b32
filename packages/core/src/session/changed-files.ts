import type { Hunk } from "../protocol/view.ts";
import type { Entry, PromptEntry } from "./transcript/entry.ts";

/** A file that calls of a session changed. `changes` holds the hunks of each call, in order. */
export type Change = { path: string; added: number; removed: number; changes: readonly (readonly Hunk[])[] };

/** Adds every file that the calls in a part of a conversation changed, and removes the files that an undo restored. */
export function changedFiles(entries: readonly Entry[], known = new Map<string, Change>()): Map<string, Change> {
  for (const entry of entries) {
    if (entry.kind === "prompt") for (const path of entry.restored ?? []) takeBack(path, entry, known);
    const view = entry.kind === "call" && entry.phase === "ok" ? entry.result?.view : undefined;
    if (view?.type !== "diff") continue;
    const { added, removed, changes } = known.get(view.path) ?? { added: 0, removed: 0, changes: [] };
    known.set(view.path, {
      path: view.path,
      added: added + view.added,
      removed: removed + view.removed,
      changes: [...changes, view.hunks],
    });
  }
  return known;
}

/** A restored file has no change any more. A restored hunk leaves the other lines of the change. */
function takeBack(path: string, { restoredHunk: hunk, redone }: PromptEntry, known: Map<string, Change>): void {
  const change = known.get(path);
  if (!change || !hunk) return void known.delete(path);
  const sign = redone ? 1 : -1;
  known.set(path, {
    ...change,
    added: Math.max(0, change.added + sign * hunk.added),
    removed: Math.max(0, change.removed + sign * hunk.removed),
  });
}
