import * as vscode from "vscode";
import { chunkText } from "./chunk-text.ts";
import { runDetached } from "../connection/run-detached.ts";
import type { DaemonConnection } from "../connection/connection.ts";
import path from "node:path";

/** At least this long between two tellings of one change after the other, in milliseconds. */
const REST_MS = 100;

/**
 * Tells the daemon which files of this window have unsaved changes, so that sessions see them as the person does, and
 * takes in what a session wrote of them. A daemon that comes anew asks for all of them by beginning to hold.
 */
export class DirtyDocuments implements vscode.Disposable {
  readonly #link: DaemonConnection;
  readonly #due = new Set<string>();
  /** Paths whose text became one with the disk since the daemon heard of them. */
  readonly #lapsed = new Set<string>();
  readonly #told = new Set<string>();
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

  /** Follows for as long as the window lives; comes back by itself. */
  async follow(): Promise<void> {
    const api = await this.#link.api();
    this.#following = api.buffer.follow.subscribe(undefined, {
      onData: (news) => {
        switch (news.kind) {
          case "held":
            this.#holder = news.holder;
            this.#told.clear();
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
      if (!this.#told.has(fsPath) && !this.#due.has(fsPath)) return;
      this.#lapsed.add(fsPath);
    }
    this.#due.add(fsPath);
    if (!this.#telling) runDetached(this.#tell());
  }

  /** One after the other, the newest text each time. What cannot be told is told when the daemon holds anew. */
  async #tell(): Promise<void> {
    this.#telling = true;
    try {
      for (let [path] = this.#due; path !== undefined; [path] = this.#due) {
        this.#due.delete(path);
        await this.#tellOf(path).catch(() => undefined);
        await new Promise((rested) => setTimeout(rested, REST_MS));
      }
    } finally {
      this.#telling = false;
    }
  }

  async #tellOf(path: string): Promise<void> {
    const holder = this.#holder;
    if (holder === undefined || !vscode.workspace.isTrusted) return;
    const { buffer } = await this.#link.api();
    if (this.#lapsed.delete(path) && this.#told.delete(path)) await buffer.drop.mutate({ holder, path });
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === path);
    if (!document?.isDirty) return;
    const { version } = document;
    this.#told.add(path);
    for (const piece of chunkText(document.getText())) await buffer.put.mutate({ holder, path, version, ...piece });
  }
}

/** In a folder of the window; any file where it has none. */
const isHere = (uri: vscode.Uri): boolean =>
  vscode.workspace.getWorkspaceFolder(uri) !== undefined || (vscode.workspace.workspaceFolders ?? []).length === 0;

/**
 * A session has written a file whose unsaved text was the base of its change, so the disk has that text too: the editor
 * takes the file from the disk. Where the person has typed on since, nothing is taken, and they are told.
 */
async function acceptWrittenFile({ path: file, version }: { path: string; version: number }): Promise<void> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && uri.fsPath === file);
  if (!document?.isDirty) return;
  if (document.version === version && (await isActive(document)) && document.version === version) {
    await vscode.commands.executeCommand("workbench.action.files.revert"); // it knows of the active editor only
    if (!document.isDirty) return;
  }
  await tellBoth(document);
}

/** Brings the file to the front without taking the focus; false when something else is there. */
async function isActive(document: vscode.TextDocument): Promise<boolean> {
  const inFront = () => vscode.window.activeTextEditor?.document === document;
  if (inFront()) return true;
  const { viewColumn } = tabOf(document.uri)?.group ?? { viewColumn: vscode.ViewColumn.Active };
  const focused = vscode.window.tabGroups.activeTabGroup.viewColumn === viewColumn;
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: focused, preview: false });
  return inFront();
}

const tabOf = (uri: vscode.Uri): vscode.Tab | undefined =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));

async function tellBoth({ uri }: vscode.TextDocument): Promise<void> {
  const name = path.basename(uri.fsPath);
  const picked = await vscode.window.showWarningMessage(
    `${name} was changed by a session while you went on typing. What you typed is in the editor only: compare before you save.`,
    "Compare",
  );
  if (picked === undefined) return;
  await vscode.window.showTextDocument(uri, { preview: false });
  await vscode.commands.executeCommand("workbench.files.action.compareWithSaved");
}
