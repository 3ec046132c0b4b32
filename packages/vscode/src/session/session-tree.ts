import { oneLine } from "@baton/core/text/sanitize";
import { count, money, planText } from "@baton/core/text/format";
import * as vscode from "vscode";
import type { SessionRow } from "@baton/core/session/session-row";
import type { Lists } from "../connection/daemon-lists.ts";
import { iconOf, WORDS } from "./status-appearance.ts";

/** The sessions of the workspace, each above its subtasks, with what waits as a badge. */
export function sessionTree(lists: Lists): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<SessionRow>("baton.sessions", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (row) => itemOf(row, childrenOf(row).length > 0),
      getChildren: (row) => (row ? childrenOf(row) : roots()),
    },
  });
  return vscode.Disposable.from(
    view,
    changed,
    lists.onSessions(() => changed.fire()),
    lists.onInbox(() => {
      const waiting = lists.inbox?.length ?? 0; // all that the view lists, as in the status bar
      view.badge =
        waiting === 0 ? undefined : { value: waiting, tooltip: `${count(waiting, "request")} ${waiting === 1 ? "needs" : "need"} you` };
    }),
  );

  function childrenOf({ id }: SessionRow): SessionRow[] {
    return lists.sessionsHere.filter(({ parentId }) => parentId === id).toSorted((a, b) => a.createdAt - b.createdAt);
  }

  function roots(): SessionRow[] {
    const known = new Set<string>(lists.sessionsHere.map(({ id }) => id));
    return lists.sessionsHere
      .filter(({ parentId }) => parentId === null || !known.has(parentId))
      .toSorted((a, b) => b.createdAt - a.createdAt);
  }
}

function itemOf(row: SessionRow, isParent: boolean): vscode.TreeItem {
  const title = oneLine(row.title) || "New session";
  const item = new vscode.TreeItem(title, isParent ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None);
  item.id = row.id;
  item.iconPath = iconOf(row.status);
  const facts = [row.mode, money(row.cost), planText(row.task)].filter(Boolean).join(" · ");
  item.description = facts;
  item.tooltip = `${title}\n${WORDS[row.status]} · ${facts}`;
  item.accessibilityInformation = { label: `${title}, ${WORDS[row.status]}, mode ${row.mode}, ${money(row.cost)}` };
  item.command = { command: "baton.openSession", title: "Open", arguments: [row.id] };
  return item;
}
