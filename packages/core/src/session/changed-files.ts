import type { Hunk } from "../protocol/tool-view.ts";
import { addChange, addUndo, noFileChanges } from "./net-file-changes.ts";
import type { Entry } from "./transcript/entry.ts";

/** A file that calls of a session changed. `added`, `removed`: the lines of all changes. `changes`: the hunks of each call, in order. */
export type SessionFileChange = { path: string; added: number; removed: number; changes: readonly (readonly Hunk[])[] };

/** Every file that the calls in the parts of a conversation changed, without the changes that an undo took back. */
export function sessionFileChanges(...parts: readonly (readonly Entry[])[]): SessionFileChange[] {
  const net = noFileChanges();
  for (const entry of parts.flat()) {
    if (entry.kind === "prompt" && entry.undo) addUndo(net, entry.undo);
    const view = entry.kind === "call" && entry.phase === "ok" ? entry.result?.view : undefined;
    if (view?.type === "diff") addChange(net, view.path, { seq: entry.seq, ...view });
  }
  return [...net.files].map(([path, changes]) => ({
    path,
    added: changes.reduce((sum, { added }) => sum + added, 0),
    removed: changes.reduce((sum, { removed }) => sum + removed, 0),
    changes: changes.map(({ hunks }) => hunks),
  }));
}
