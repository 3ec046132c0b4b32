import * as vscode from "vscode";
import { chunkText } from "./chunk-text.ts";
import { runDetached } from "../connection/run-detached.ts";
import type { DaemonConnection } from "../connection/connection.ts";
import path from "node:path";

/** The minimum delay between two updates of one document, in milliseconds. */
const REST_MS = 100;

/**
 * Tells the daemon about unsaved documents of this window, so that sessions see the same text as the user, and takes over
 * what a session writes to them. A new daemon starts without them, so all are sent again.
 */
export class DirtyDocuments implements vscode.Disposable {
  readonly #link: DaemonConnection;
  readonly #due = new Set<string>();
  /** Paths that were saved or closed since the daemon received their text. */
  readonly #lapsed = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #listening: vscode.Disposable[];
  #following: { unsubscribe: () => void } | undefined;
  #holder: string | undefined;
  #telling = false;

  constructor(link: DaemonConnection) {
    this.#link = link;
    this.#listening = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#look(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => vscode.workspace.textDocuments.forEach((each) => this.#look(each))),
    ];
  }

  /** Follows the daemon for as long as the window lives. It reconnects automatically. */
  async follow(): Promise<void> {
    const api = await this.#link.api();
    this.#following = api.buffer.follow.subscribe(undefined, {
      onData: (news) => {
        switch (news.kind) {
          case "held":
            this.#holder = news.holder;
            this.#reported.clear();
            return vscode.workspace.textDocuments.forEach((each) => this.#look(each));
          case "written":
            return runDetached(acceptWrittenFile(news));
        }
      },
      onError: (error) => console.error("baton:", error), // a daemon that does not know of it yet
    });
  }

  dispose(): void {
    this.#following?.unsubscribe();
    for (const each of this.#listening) each.dispose();
  }

  #look(document: vscode.TextDocument): void {
    if (document.uri.scheme !== "file" || !isHere(document.uri)) return;
    const { fsPath } = document.uri;
    if (!document.isDirty || document.isClosed) {
      if (!this.#reported.has(fsPath) && !this.#due.has(fsPath)) return;
      this.#lapsed.add(fsPath);
    }
    this.#due.add(fsPath);
    if (!this.#telling) runDetached(this.#reportAll());
  }

  /**
   * Sends one document after the other, always with its newest text. A failed update is sent again when the daemon
   * reconnects.
   */
  async #reportAll(): Promise<void> {
    this.#telling = true;
    try {
      for (let [path] = this.#due; path !== undefined; [path] = this.#due) {
        this.#due.delete(path);
        await this.#reportDocument(path).catch(() => undefined);
        await new Promise((rested) => setTimeout(rested, REST_MS));
      }
    } finally {
      this.#telling = false;
    }
  }

  async #reportDocument(path: string): Promise<void> {
    const holder = this.#holder;
    if (holder === undefined || !vscode.workspace.isTrusted) return;
    const { buffer } = await this.#link.api();
    if (this.#lapsed.delete(path) && this.#reported.delete(path)) await buffer.drop.mutate({ holder, path });
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === path);
    if (!document?.isDirty) return;
    const { version } = document;
    this.#reported.add(path);
    for (const piece of chunkText(document.getText())) await buffer.put.mutate({ holder, path, version, ...piece });
  }
}

/** Whether a file is in a folder of the window. Without folders every file is. */
const isHere = (uri: vscode.Uri): boolean =>
  vscode.workspace.getWorkspaceFolder(uri) !== undefined || (vscode.workspace.workspaceFolders ?? []).length === 0;

/**
 * A session has written a file, based on its unsaved text, so the file on disk has that text too. The editor reloads it
 * from disk. If the user has typed since, the editor keeps its text and shows a warning.
 */
async function acceptWrittenFile({ path: file, version }: { path: string; version: number }): Promise<void> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === file);
  if (!document?.isDirty) return;
  if (document.version === version && (await isActive(document)) && document.version === version) {
    await vscode.commands.executeCommand("workbench.action.files.revert"); // this command reverts only the active editor
    if (!document.isDirty) return;
  }
  await warnAboutConflict(document);
}

/** Brings the document to the front without taking the focus. Returns false if another document is in front. */
async function isActive(document: vscode.TextDocument): Promise<boolean> {
  const inFront = () => vscode.window.activeTextEditor?.document === document;
  if (inFront()) return true;
  const { viewColumn } = findTab(document.uri)?.group ?? { viewColumn: vscode.ViewColumn.Active };
  const focused = vscode.window.tabGroups.activeTabGroup.viewColumn === viewColumn;
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: focused, preview: false });
  return inFront();
}

const findTab = (uri: vscode.Uri): vscode.Tab | undefined =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));

async function warnAboutConflict({ uri }: vscode.TextDocument): Promise<void> {
  const name = path.basename(uri.fsPath);
  const picked = await vscode.window.showWarningMessage(
    `A session changed ${name} while you were typing. The editor keeps your text. Compare before you save.`,
    "Compare",
  );
  if (picked === undefined) return;
  await vscode.window.showTextDocument(uri, { preview: false });
  await vscode.commands.executeCommand("workbench.files.action.compareWithSaved");
}
