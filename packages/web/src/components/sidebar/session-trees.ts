import type { SessionRow } from "@baton/core/session/session-list";

/** A session with its subtasks. `waits` is true if one of them waits for the user. */
export type SessionTree = { row: SessionRow; children: SessionTree[]; waits: boolean };

/**
 * Sessions by workspace with their subtasks: busy ones first, in a stable order, then by last change. `folderOf` names the workspace of a
 * group.
 */
export function sessionTrees(
  rows: readonly SessionRow[],
  folderOf: (workspace: string) => string,
): { workspace: string; trees: SessionTree[] }[] {
  const known = new Set<string>(rows.map(({ id }) => id));
  const childrenById = new Map<string, SessionRow[]>();
  for (const row of rows)
    if (row.parentId !== null && known.has(row.parentId)) childrenById.set(row.parentId, [...(childrenById.get(row.parentId) ?? []), row]);
  const toTree = (row: SessionRow): SessionTree => {
    const children = (childrenById.get(row.id) ?? []).toSorted((a, b) => a.createdAt - b.createdAt).map(toTree);
    return { row, children, waits: row.status === "waiting" || children.some(({ waits }) => waits) };
  };
  const trees = rows
    .filter(({ parentId }) => parentId === null || !known.has(parentId))
    .map(toTree)
    .toSorted(byActivity);
  return [...Map.groupBy(trees, ({ row }) => folderOf(row.workspace))].map(([workspace, of]) => ({ workspace, trees: of }));
}

function byActivity(a: SessionTree, b: SessionTree): number {
  const [busyA, busyB] = [isBusy(a), isBusy(b)];
  if (busyA !== busyB) return busyA ? -1 : 1;
  return busyA ? b.row.createdAt - a.row.createdAt : changedAt(b) - changedAt(a);
}

const isBusy = ({ row, waits, children }: SessionTree): boolean => waits || row.status === "working" || children.some(isBusy);

/** When a session or one of its subtasks last changed, in epoch milliseconds. */
export const changedAt = ({ row, children }: SessionTree): number => Math.max(row.updatedAt, ...children.map(changedAt));
