import path from "node:path";
import { emptyTranscript, foldTranscript } from "@baton/core/session/transcript";
import { oneLine } from "@baton/core/text/clean";
import * as vscode from "vscode";
import { inBackground } from "../daemon/in-background.ts";
import type { Link } from "../daemon/link.ts";
import type { SessionRow } from "../daemon/lists.ts";
import { CHANGE_SCHEME, type Documents } from "../request/documents.ts";
import { fragments, unpatched } from "../request/patch.ts";
import { changesIn, type Change } from "./changes.ts";
import type { Current } from "./current.ts";

const MOST_EVENTS = 5_000;

/** The files that the session at hand has changed; each opens as a diff against what it was before. */
export function changedFiles(link: Link, current: Current, documents: Documents): vscode.Disposable {
  const drawn = new vscode.EventEmitter<void>();
  let changes: readonly Change[] = [];
  let of: { id: string; seq: number } | undefined;
  let looking = false;
  const view = vscode.window.createTreeView<Change>("baton.changed", {
    treeDataProvider: {
      onDidChangeTreeData: drawn.event,
      getTreeItem: itemOf,
      getChildren: (change) => (change ? [] : [...changes]),
    },
  });
  const look = () => {
    const { row } = current;
    if (!view.visible || looking || (row?.id === of?.id && row?.seq === of?.seq)) return;
    looking = true;
    inBackground(
      refresh(row).finally(() => {
        looking = false;
        if (current.row?.id !== of?.id || current.row?.seq !== of?.seq) look();
      }),
    );
  };
  look();
  return vscode.Disposable.from(
    view,
    drawn,
    current.onChange(look),
    view.onDidChangeVisibility(look),
    vscode.commands.registerCommand("baton.showChange", (change: Change) => show(change)),
  );

  async function refresh(row: SessionRow | undefined): Promise<void> {
    of = row && { id: row.id, seq: row.seq };
    if (!row) changes = [];
    else {
      const { events } = await (await link.api()).session.open.query({ sessionId: row.id, tail: MOST_EVENTS });
      const transcript = emptyTranscript();
      for (const event of events) foldTranscript(transcript, event);
      changes = changesIn(transcript.entries);
    }
    drawn.fire();
  }

  function itemOf(change: Change): vscode.TreeItem {
    const uri = vscode.Uri.file(path.resolve(current.row?.workspace ?? "/", change.path));
    const item = new vscode.TreeItem(uri);
    item.description = `+${change.added} −${change.removed}  ${oneLine(path.dirname(change.path)).replace(/^\.$/, "")}`;
    item.iconPath = vscode.ThemeIcon.File;
    item.command = { command: "baton.showChange", title: "Show the change", arguments: [change] };
    return item;
  }

  /** Takes the changes back one by one, the last first; where the file has gone another way, only the parts are shown. */
  async function show({ path: named, changes: all }: Change): Promise<void> {
    const { row } = current;
    const file = vscode.Uri.file(path.resolve(row?.workspace ?? "/", named));
    const now = await textOf(file);
    const before = all
      .toReversed()
      .reduce<string | undefined>((text, hunks) => (text === undefined ? undefined : unpatched(text, hunks)), now);
    const id = `${row?.id ?? ""}:${row?.seq ?? 0}`;
    const title = `${oneLine(named)} (this session)`;
    if (before !== undefined) {
      const left = documents.keep(CHANGE_SCHEME, named, { id, side: "before", text: before });
      return vscode.commands.executeCommand("vscode.diff", left, file, title);
    }
    const parts = fragments(all.flat());
    const left = documents.keep(CHANGE_SCHEME, named, { id, side: "before", text: parts.before });
    const right = documents.keep(CHANGE_SCHEME, named, { id, side: "after", text: parts.after });
    return vscode.commands.executeCommand("vscode.diff", left, right, `${title}, as far as it is known`);
  }
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined; // it is gone, or no text any more
  }
}
