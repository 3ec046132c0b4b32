import type { RestoredHunk } from "../protocol/event.ts";
import type { Hunk } from "../protocol/tool-view.ts";

/** A change of a file by one call. */
export type CallFileChange = { seq: number; added: number; removed: number; hunks: readonly Hunk[] };

/** The changes of each file that no undo took back, in order. `undone`: those that can be redone, by undo, the newest last. */
export type NetFileChanges = { files: Map<string, readonly CallFileChange[]>; undone: ReadonlyMap<string, readonly CallFileChange[]>[] };

/** An undo or redo that has ended. An undo takes back the changes after `since`, and with `hunk` only a part of the last one. */
export type AppliedUndo = { restored: readonly string[]; since: number; hunk?: RestoredHunk | undefined; redo?: true | undefined };

export const noFileChanges = (): NetFileChanges => ({ files: new Map(), undone: [] });

export const copyFileChanges = ({ files, undone }: NetFileChanges): NetFileChanges => ({ files: new Map(files), undone: [...undone] });

export function addChange({ files }: NetFileChanges, path: string, change: CallFileChange): void {
  files.set(path, [...(files.get(path) ?? []), change]);
}

export function addUndo(changes: NetFileChanges, { restored, since, hunk, redo }: AppliedUndo): void {
  const { files, undone } = changes;
  if (hunk) {
    for (const path of restored) changeLast(files, path, redo ? 1 : -1, hunk);
    if (redo) undone.pop();
    else undone.push(new Map());
  } else if (redo) {
    const last = new Map(undone.pop());
    for (const path of restored) {
      files.set(path, [...(files.get(path) ?? []), ...(last.get(path) ?? [])].sort(bySeq));
      last.delete(path);
    }
    if (last.size > 0) undone.push(last);
  } else {
    undone.push(new Map(restored.map((path) => [path, files.get(path)?.filter(({ seq }) => seq > since) ?? []])));
    for (const path of restored) files.set(path, files.get(path)?.filter(({ seq }) => seq <= since) ?? []);
  }
  for (const path of restored) if (files.get(path)?.length === 0) files.delete(path);
}

const bySeq = (one: CallFileChange, other: CallFileChange): number => one.seq - other.seq;

function changeLast(files: NetFileChanges["files"], path: string, sign: number, { added, removed }: RestoredHunk): void {
  const changes = files.get(path) ?? [];
  const last = changes.at(-1);
  if (!last) return;
  const changed = { ...last, added: Math.max(0, last.added + sign * added), removed: Math.max(0, last.removed + sign * removed) };
  files.set(path, [...changes.slice(0, -1), changed]);
}
