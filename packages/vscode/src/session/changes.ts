import type { Hunk } from "@baton/core/protocol/view";
import type { Entry } from "@baton/core/session/transcript";

/** A file that calls of a session have changed. `changes` are the hunks of each call, first to last. */
export type Change = { path: string; added: number; removed: number; changes: readonly (readonly Hunk[])[] };

/** Every file that the calls of a conversation have changed, in the order of their first change. */
export function changesIn(entries: readonly Entry[]): Change[] {
  const known = new Map<string, Change>();
  for (const entry of entries) {
    const view = entry.kind === "call" && entry.phase === "ok" ? entry.result?.view : undefined;
    if (view?.type !== "diff") continue;
    const { added = 0, removed = 0, changes = [] } = known.get(view.path) ?? {};
    known.set(view.path, {
      path: view.path,
      added: added + view.added,
      removed: removed + view.removed,
      changes: [...changes, view.hunks],
    });
  }
  return [...known.values()];
}
