import * as vscode from "vscode";
import type { DaemonConnection } from "../connection/connection.ts";
import type { Folders } from "../connection/folders.ts";
import { runDetached } from "../connection/run-detached.ts";
import { DocumentActivity, isTrueWithin } from "./document-activity.ts";
import { errorsOf, isSameAsDisk, workspaceFileUri, type FileErrors } from "./editor-errors.ts";
import { findDependentDocuments, symbolPositions } from "./dependent-files.ts";

type Look = { id: string; moment: "before" | "after"; files: readonly string[]; withinMs: number };

/** How long documents must be quiet before their diagnostics count as complete, and again for those that come later. */
const QUIET_MS = 700;
const QUIET_LATER_MS = 1_000;
/** How long the editor may take to read a changed file again. */
const RELOAD_MS = 3_000;
/** How long errors may come after the answer. */
const LATER_MS = 10_000;

/** Tells the daemon which errors the editor shows before and after an agent changes files, so that Baton starts no servers of its own. */
export class OfferedDiagnostics implements vscode.Disposable {
  readonly #link: DaemonConnection;
  readonly #folders: Folders;
  readonly #activity = new DocumentActivity();
  readonly #listening: vscode.Disposable[];
  #following: { unsubscribe: () => void } | undefined;
  #holder: string | undefined;
  /** Ends the wait for later errors of earlier answers. */
  #next = new AbortController();

  constructor(link: DaemonConnection, folders: Folders) {
    this.#link = link;
    this.#folders = folders;
    this.#listening = [
      vscode.workspace.onDidChangeWorkspaceFolders(() => runDetached(this.follow())),
      vscode.workspace.onDidGrantWorkspaceTrust(() => runDetached(this.follow())),
    ];
  }

  /** Offers the diagnostics of the window's folders for as long as the window lives. It reconnects automatically. */
  async follow(): Promise<void> {
    this.#following?.unsubscribe();
    this.#following = undefined;
    const folders = [...this.#folders.paths()];
    if (folders.length === 0 || !vscode.workspace.isTrusted) return;
    const api = await this.#link.api();
    this.#following = api.diagnostics.follow.subscribe(
      { folders },
      {
        onData: (news) => {
          if (news.kind === "held") this.#holder = news.holder;
          else runDetached(this.#answer(news));
        },
        onError: (error) => console.error("baton:", error), // a daemon that does not know of it yet
      },
    );
  }

  dispose(): void {
    this.#following?.unsubscribe();
    this.#next.abort();
    this.#activity.dispose();
    for (const each of this.#listening) each.dispose();
  }

  async #answer(look: Look): Promise<void> {
    this.#next.abort();
    const next = (this.#next = new AbortController());
    if (look.moment === "before") return this.#put(look.id, await this.#before(look));
    const documents = await this.#after(look);
    const uris = documents.map(({ uri }) => uri);
    const versions = documents.map(({ version }) => version);
    const files = uris.map(errorsOf);
    await this.#put(look.id, files);
    const isSameText = () => documents.every(({ version }, i) => version === versions[i]);
    const hasChanged = () => isSameText() && JSON.stringify(uris.map(errorsOf)) !== JSON.stringify(files);
    await isTrueWithin(LATER_MS, () => next.signal.aborted || (hasChanged() && this.#activity.isQuiet(uris, QUIET_LATER_MS)));
    if (hasChanged()) await this.#put(look.id, uris.map(errorsOf));
  }

  /** The errors of the file that is about to change, and of those that use it. None if no extension knows its language. */
  async #before({ files: [file], withinMs }: Look): Promise<FileErrors[]> {
    const document = file === undefined ? undefined : await openDocument(workspaceFileUri(file));
    if (!document || document.isDirty) return [];
    const symbols = await symbolPositions(document.uri);
    if (symbols.length === 0 && vscode.languages.getDiagnostics(document.uri).length === 0) return [];
    const users = await Promise.all((await findDependentDocuments(document.uri, symbols)).map(openDocument));
    const uris = [document, ...users].flatMap((each) => (each && !each.isDirty ? each.uri : []));
    await isTrueWithin(withinMs, () => this.#activity.isQuiet(uris, QUIET_MS));
    return uris.map(errorsOf);
  }

  /** The documents that have the text on the disk, when their errors are complete. */
  async #after({ files, withinMs }: Look): Promise<vscode.TextDocument[]> {
    const opened = await Promise.all(files.map((file) => openDocument(workspaceFileUri(file))));
    const clean = opened.flatMap((document) => (document && !document.isDirty ? document : []));
    await isTrueWithin(RELOAD_MS, () => clean.every(isSameAsDisk));
    const documents = clean.filter(isSameAsDisk);
    const uris = documents.map(({ uri }) => uri);
    await isTrueWithin(withinMs, () => this.#activity.isQuiet(uris, QUIET_MS));
    return documents;
  }

  async #put(look: string, files: FileErrors[]): Promise<void> {
    const holder = this.#holder;
    if (holder === undefined) return;
    const { diagnostics } = await this.#link.api();
    await diagnostics.put.mutate({ holder, look, files });
  }
}

/** Opens a document without showing it, so that the extensions of its language read it. Undefined if it is not a text. */
async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}
