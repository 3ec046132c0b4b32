import path from "node:path";
import type { DiffView } from "@baton/core/protocol/tool-view";
import { oneLine } from "@baton/core/text/sanitize";
import * as vscode from "vscode";
import type { InboxItem } from "@baton/core/protocol/request";
import { runDetached } from "../connection/run-detached.ts";
import type { DaemonLists } from "../connection/daemon-lists.ts";
import { showWarning } from "../show-warning.ts";
import type { SessionCommandSender } from "../connection/session-command-sender.ts";
import { REQUEST_SCHEME, type VirtualDocuments } from "./virtual-documents.ts";
import { hunkSides, applyHunksToText } from "./apply-hunks-to-text.ts";

/**
 * `visibleSince` is when the tab became visible, in `performance.now()` time. On a busy machine that is later than the diff
 * was opened.
 */
type ShownDiff = { item: InboxItem; before: vscode.Uri; after: vscode.Uri; visibleSince?: number; closed: vscode.CancellationTokenSource };
type DiffItem = InboxItem & { view: DiffView };

const isDiff = (item: InboxItem): item is DiffItem => item.kind === "approval" && item.view?.type === "diff";

/** Input during this delay was not meant for the diff. */
const INPUT_DELAY_MS = 400;

const NOTE: vscode.InputBoxOptions = {
  title: "Deny this change",
  prompt: "Enter denies, with or without a note. Escape returns to the change.",
  placeHolder: "Note for the agent (optional)",
  ignoreFocusOut: true, // a note that is half written is not lost to a view that takes the focus
};

/**
 * Shows file changes as diffs with the choices in the title bar. The oldest request of this window opens automatically,
 * once. An answer is bound to the hash of what was shown.
 */
export class DiffApproval implements vscode.Disposable {
  readonly #lists: DaemonLists;
  readonly #commands: SessionCommandSender;
  readonly #documents: VirtualDocuments;
  readonly #shown = new Map<string, ShownDiff>();
  readonly #offered = new Set<string>();
  /** Diffs that were closed before VS Code reported a tab of them, or after the user closed it. */
  readonly #closed = new Set<string>();
  readonly #listening: vscode.Disposable;
  #following: Promise<void> = Promise.resolve();

  constructor(lists: DaemonLists, commands: SessionCommandSender, documents: VirtualDocuments) {
    this.#lists = lists;
    this.#commands = commands;
    this.#documents = documents;
    const follow = () => {
      this.#following = this.#following.then(() => this.#follow()).catch(() => undefined); // one after the other, each with the inbox at that time
    };
    this.#listening = vscode.Disposable.from(
      lists.onInbox(follow),
      vscode.window.onDidChangeWindowState(follow),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#noteVisible()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.#noteVisible()),
    );
  }

  /** Opens the diff of a request. Returns false if it is not a file change or no longer open. */
  async show(requestId: string, focus: boolean): Promise<boolean> {
    const item = this.#lists.inbox?.find(({ id }) => id === requestId);
    if (!item || !isDiff(item)) return false;
    const known = this.#shown.get(requestId);
    const shown = known ?? (await this.#prepare(item));
    if (!known) this.#shown.set(requestId, shown);
    this.#closed.delete(String(shown.after));
    await this.#updateGrantable();
    const title = `${oneLine(item.header)} ${oneLine(item.view.path)}`;
    await vscode.commands.executeCommand("vscode.diff", shown.before, shown.after, title, { preview: false, preserveFocus: !focus });
    return true;
  }

  /** Answers the request of a diff. The answer is bound to what was shown; a denial can have a note for the agent. */
  async answer(uri: vscode.Uri | undefined, choice: string): Promise<void> {
    const shown = this.#of(uri);
    if (!shown) return showWarning("This request is no longer open.");
    shown.visibleSince ??= performance.now();
    if (performance.now() - shown.visibleSince < INPUT_DELAY_MS) return showWarning("Too early: look at the change, then answer.");
    if (!shown.item.choices.some(({ id }) => id === choice)) return showWarning("This request does not have that choice.");
    if (choice !== "deny") return this.#commands.answer(shown.item, { choice });
    const note = vscode.workspace.isTrusted ? await vscode.window.showInputBox(NOTE, shown.closed.token) : "";
    if (note === undefined) return; // Escape, or another client has answered
    await this.#commands.answer(shown.item, note.trim() === "" ? { choice } : { choice, note: note.trim() });
  }

  /** The request of a diff; by default the active one. */
  requestFor(uri: vscode.Uri | undefined): InboxItem | undefined {
    return this.#of(uri)?.item;
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #follow(): Promise<void> {
    const open = new Set((this.#lists.inbox ?? []).map(({ id }) => String(id)));
    for (const [id, shown] of this.#shown) if (!open.has(id)) await this.#close(id, shown);
    const oldest = this.#lists.inboxOurs.find(isDiff);
    if (!oldest || this.#offered.has(oldest.id)) return;
    if (!vscode.workspace.getConfiguration("baton").get("openDiffs", true)) return;
    if (!(await this.#lists.takes(oldest))) return;
    this.#offered.add(oldest.id);
    await this.show(oldest.id, false);
  }

  /**
   * VS Code reports some tabs only as a change of their group, so this looks at all tabs. A tab whose request was closed before VS Code
   * reported the tab is closed now.
   */
  #noteVisible(): void {
    for (const tab of diffTabs()) {
      const shown = this.#of(tab.input.modified);
      if (shown) shown.visibleSince ??= performance.now();
      else if (this.#closed.delete(String(tab.input.modified))) runDetached(vscode.window.tabGroups.close(tab, true));
    }
  }

  async #prepare(item: DiffItem): Promise<ShownDiff> {
    const { view, workspace, id } = item;
    const now = view.change === "create" ? "" : await readText(vscode.Uri.file(path.resolve(workspace, view.path)));
    const after = now === undefined ? undefined : applyHunksToText(now, view.hunks);
    const sides = now === undefined || after === undefined ? hunkSides(view.hunks) : { before: now, after };
    return {
      item,
      closed: new vscode.CancellationTokenSource(),
      before: this.#documents.keep(REQUEST_SCHEME, view.path, { id, side: "before", text: sides.before }),
      after: this.#documents.keep(REQUEST_SCHEME, view.path, { id, side: "after", text: sides.after }),
    };
  }

  async #close(id: string, { before, after, closed }: ShownDiff): Promise<void> {
    this.#shown.delete(id);
    this.#offered.delete(id); // it opens again if the inbox has it again
    closed.cancel();
    closed.dispose();
    const ours = diffTabs().filter(({ input }) => String(input.modified) === String(after));
    if (ours.length > 0) await vscode.window.tabGroups.close(ours, true);
    else this.#closed.add(String(after));
    this.#documents.forget(before);
    this.#documents.forget(after);
    await this.#updateGrantable();
  }

  #of(uri: vscode.Uri | undefined): ShownDiff | undefined {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    const key = String(uri ?? (input instanceof vscode.TabInputTextDiff ? input.modified : ""));
    return [...this.#shown.values()].find(({ before, after }) => String(after) === key || String(before) === key);
  }

  /** Tells VS Code which diffs can be granted for longer, for the menu of the title bar. */
  async #updateGrantable(): Promise<void> {
    for (const choice of ["session", "workspace"]) {
      const offering = [...this.#shown.values()].filter(({ item }) => item.choices.some(({ id }) => id === choice));
      await vscode.commands.executeCommand(
        "setContext",
        `baton.${choice}Grantable`,
        offering.map(({ after }) => String(after)),
      );
    }
  }
}

type DiffTab = vscode.Tab & { input: vscode.TabInputTextDiff };

const diffTabs = (): DiffTab[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab): tab is DiffTab => tab.input instanceof vscode.TabInputTextDiff);

/** The text as the session sees it, with unsaved changes. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const unsaved = vscode.workspace.textDocuments.find((each) => each.isDirty && String(each.uri) === String(uri));
  if (unsaved) return unsaved.getText();
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined; // the file is gone; the diff then shows only the changed parts
  }
}
