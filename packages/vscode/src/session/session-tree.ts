import { oneLine } from "@baton/core/text/sanitize";
import { formatCount, formatMoney, planText } from "@baton/core/text/format";
import * as vscode from "vscode";
import type { SessionRow } from "@baton/core/session/session-list";
import type { DaemonLists } from "../connection/daemon-lists.ts";
import { statusIcon, STATUS_LABELS } from "./status-appearance.ts";

/** The sessions of the workspace with their subtasks, and a badge for open requests. */
export function sessionTree(lists: DaemonLists): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<SessionRow>("baton.sessions", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (row) => toTreeItem(row, children(row).length > 0),
      getChildren: (row) => (row ? children(row) : roots()),
    },
  });
  return vscode.Disposable.from(
    view,
    changed,
    lists.onSessions(() => changed.fire()),
    lists.onInbox(() => {
      const waiting = lists.inbox?.length ?? 0; // the inbox of all workspaces, as in the status bar
      view.badge =
        waiting === 0
          ? undefined
          : { value: waiting, tooltip: `${formatCount(waiting, "request")} ${waiting === 1 ? "needs" : "need"} you` };
    }),
  );

  function children({ id }: SessionRow): SessionRow[] {
    return lists.sessionsHere.filter(({ parentId }) => parentId === id).toSorted((a, b) => a.createdAt - b.createdAt);
  }

  function roots(): SessionRow[] {
    const known = new Set<string>(lists.sessionsHere.map(({ id }) => id));
    return lists.sessionsHere
      .filter(({ parentId }) => parentId === null || !known.has(parentId))
      .toSorted((a, b) => b.createdAt - a.createdAt);
  }
}

function toTreeItem(row: SessionRow, isParent: boolean): vscode.TreeItem {
  const title = oneLine(row.title) || "New session";
  const item = new vscode.TreeItem(title, isParent ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None);
  item.id = row.id;
  item.iconPath = statusIcon(row.status);
  const facts = [row.mode, formatMoney(row.cost), planText(row.task)].filter(Boolean).join(" · ");
  item.description = facts;
  item.tooltip = `${title}\n${STATUS_LABELS[row.status]} · ${facts}`;
  item.accessibilityInformation = { label: `${title}, ${STATUS_LABELS[row.status]}, mode ${row.mode}, ${formatMoney(row.cost)}` };
  item.command = { command: "baton.openSession", title: "Open", arguments: [row.id] };
  return item;
}
