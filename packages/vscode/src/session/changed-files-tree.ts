import path from "node:path";
import { openSessionView, type SessionView } from "@baton/core/client/session-view";
import { sessionFileChanges, type SessionFileChange } from "@baton/core/session/changed-files";
import { oneLine } from "@baton/core/text/sanitize";
import * as vscode from "vscode";
import { runDetached } from "../connection/run-detached.ts";
import type { DaemonConnection } from "../connection/connection.ts";
import { CHANGE_SCHEME, type VirtualDocuments } from "../request/virtual-documents.ts";
import { hunkSides, revertHunks } from "../request/apply-hunks-to-text.ts";
import type { ActiveSession } from "./active-session.ts";

/** The list of changed files covers this many of the newest events. */
const MAX_EVENTS = 5_000;

/** The files that the active session has changed. Each opens as a diff against its original. */
export function registerChangedFiles(link: DaemonConnection, current: ActiveSession, documents: VirtualDocuments): vscode.Disposable {
  const drawn = new vscode.EventEmitter<void>();
  let changes: readonly SessionFileChange[] = [];
  let following: { id: string; close: () => void } | undefined;
  const view = vscode.window.createTreeView<SessionFileChange>("baton.changed", {
    treeDataProvider: {
      onDidChangeTreeData: drawn.event,
      getTreeItem: toTreeItem,
      getChildren: (change) => (change ? [] : [...changes]),
    },
  });
  /** Follows the active session while the list is visible. */
  const update = () => {
    const wantedId = view.visible ? current.row?.id : undefined;
    if (wantedId === following?.id) return;
    following?.close();
    following = wantedId === undefined ? undefined : follow(wantedId);
    if (view.visible && wantedId === undefined) show([]);
  };
  update();
  return vscode.Disposable.from(
    view,
    drawn,
    current.onChange(update),
    view.onDidChangeVisibility(update),
    vscode.commands.registerCommand("baton.showChange", (change: SessionFileChange) => open(change)),
    { dispose: () => following?.close() },
  );

  function show(found: readonly SessionFileChange[]): void {
    changes = found;
    drawn.fire();
  }

  /** Follows a session. Its transcript has the changed files. */
  function follow(id: string): { id: string; close: () => void } {
    let closed = false;
    let view: SessionView | undefined;
    const draw = () => show(view ? sessionFileChanges(view.transcript.entries) : []);
    const open = async () => {
      view = await openSessionView(await link.api(), id, {
        tail: MAX_EVENTS,
        onChange: (events) => {
          if (events.length > 0) draw();
        },
        onReopened: draw,
        onError: (error) => console.error("baton:", error),
      });
      if (closed) view.close();
      else draw();
    };
    runDetached(open());
    return {
      id,
      close: () => {
        closed = true;
        view?.close();
      },
    };
  }

  function toTreeItem(change: SessionFileChange): vscode.TreeItem {
    const uri = vscode.Uri.file(path.resolve(current.row?.workspace ?? "/", change.path));
    const item = new vscode.TreeItem(uri);
    item.description = `+${change.added} −${change.removed}  ${oneLine(path.dirname(change.path)).replace(/^\.$/, "")}`;
    item.iconPath = vscode.ThemeIcon.File;
    item.command = { command: "baton.showChange", title: "Show the change", arguments: [change] };
    return item;
  }

  /** Reverts the changes one by one, last first. If the file has changed otherwise, only the hunks are shown. */
  async function open({ path: filePath, changes: all }: SessionFileChange): Promise<void> {
    const { row } = current;
    const file = vscode.Uri.file(path.resolve(row?.workspace ?? "/", filePath));
    const now = await readText(file);
    const before = all
      .toReversed()
      .reduce<string | undefined>((text, hunks) => (text === undefined ? undefined : revertHunks(text, hunks)), now);
    const id = `${row?.id ?? ""}:${row?.seq ?? 0}`;
    const title = `${oneLine(filePath)} (this session)`;
    if (before !== undefined) {
      const left = documents.keep(CHANGE_SCHEME, filePath, { id, side: "before", text: before });
      return vscode.commands.executeCommand("vscode.diff", left, file, title);
    }
    const parts = hunkSides(all.flat());
    const left = documents.keep(CHANGE_SCHEME, filePath, { id, side: "before", text: parts.before });
    const right = documents.keep(CHANGE_SCHEME, filePath, { id, side: "after", text: parts.after });
    return vscode.commands.executeCommand("vscode.diff", left, right, `${title}, only the changed parts`);
  }
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined; // the file is gone, or not a text file
  }
}
