import type { SessionRow } from "../store/lists.ts";

/** A session with its subtasks. `waits` is true when it or one of them needs the person. */
export type Tree = { row: SessionRow; children: Tree[]; waits: boolean };

/** Sessions by workspace, the one that changed last first, each above its subtasks. */
export function treesOf(rows: readonly SessionRow[]): { workspace: string; trees: Tree[] }[] {
  const known = new Set<string>(rows.map(({ id }) => id));
  const below = new Map<string, SessionRow[]>();
  for (const row of rows)
    if (row.parentId !== null && known.has(row.parentId)) below.set(row.parentId, [...(below.get(row.parentId) ?? []), row]);
  const treeOf = (row: SessionRow): Tree => {
    const children = (below.get(row.id) ?? []).toSorted((a, b) => a.createdAt - b.createdAt).map(treeOf);
    return { row, children, waits: row.status === "waiting" || children.some(({ waits }) => waits) };
  };
  const roots = rows.filter(({ parentId }) => parentId === null || !known.has(parentId)).toSorted((a, b) => b.createdAt - a.createdAt);
  const newest = new Map<string, number>();
  for (const { workspace, createdAt } of roots) newest.set(workspace, Math.max(newest.get(workspace) ?? 0, createdAt));
  return [...newest]
    .toSorted(([, a], [, b]) => b - a)
    .map(([workspace]) => ({ workspace, trees: roots.filter((row) => row.workspace === workspace).map(treeOf) }));
}
