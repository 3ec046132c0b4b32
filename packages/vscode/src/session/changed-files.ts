import path from "node:path";
import type { Logged } from "@baton/core/protocol/event";
import { changedFiles as changedFilesIn, type Change } from "@baton/core/session/changed-files";
import { emptyTranscript, foldTranscript } from "@baton/core/session/transcript";
import { oneLine } from "@baton/core/text/clean";
import { refusalOf } from "@baton/daemon/client";
import * as vscode from "vscode";
import { inBackground } from "../daemon/in-background.ts";
import type { Link } from "../daemon/link.ts";
import { CHANGE_SCHEME, type Documents } from "../request/documents.ts";
import { fragments, unpatched } from "../request/patch.ts";
import type { Current } from "./current.ts";

const MOST_EVENTS = 5_000;

/** The files that the session at hand has changed; each opens as a diff against what it was before. */
export function changedFiles(link: Link, current: Current, documents: Documents): vscode.Disposable {
  const drawn = new vscode.EventEmitter<void>();
  let changes: readonly Change[] = [];
  let following: { id: string; close: () => void } | undefined;
  const view = vscode.window.createTreeView<Change>("baton.changed", {
    treeDataProvider: {
      onDidChangeTreeData: drawn.event,
      getTreeItem: itemOf,
      getChildren: (change) => (change ? [] : [...changes]),
    },
  });
  /** Follows the session at hand while the list is seen. */
  const look = () => {
    const wanted = view.visible ? current.row?.id : undefined;
    if (wanted === following?.id) return;
    following?.close();
    following = wanted === undefined ? undefined : follow(wanted);
    if (view.visible && wanted === undefined) show([]);
  };
  look();
  return vscode.Disposable.from(
    view,
    drawn,
    current.onChange(look),
    view.onDidChangeVisibility(look),
    vscode.commands.registerCommand("baton.showChange", (change: Change) => open(change)),
    { dispose: () => following?.close() },
  );

  function show(found: readonly Change[]): void {
    changes = found;
    drawn.fire();
  }

  /** Opens the session once and folds what comes after. A rewinding takes events back, so it is opened anew then. */
  function follow(id: string): { id: string; close: () => void } {
    let closed = false;
    let subscription: { unsubscribe: () => void } | undefined;
    const begin = async () => {
      subscription?.unsubscribe();
      const { session } = await link.api();
      const { events, seq } = await session.open.query({ sessionId: id, tail: MOST_EVENTS });
      if (closed) return;
      const transcript = emptyTranscript();
      const take = (more: readonly Logged[]) => {
        for (const event of more) foldTranscript(transcript, event);
        show([...changedFilesIn(transcript.entries).values()]);
      };
      take(events);
      subscription = session.follow.subscribe(
        { sessionId: id, after: seq },
        {
          onData: ({ data }) => {
            if (data.events.some(({ type }) => type === "session.rewound")) inBackground(begin());
            else if (data.events.length > 0) take(data.events);
          },
          onError: (error) => (closed || refusalOf(error)?.code !== "resync" ? undefined : inBackground(begin())),
        },
      );
    };
    inBackground(begin());
    return {
      id,
      close: () => {
        closed = true;
        subscription?.unsubscribe();
      },
    };
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
  async function open({ path: named, changes: all }: Change): Promise<void> {
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
