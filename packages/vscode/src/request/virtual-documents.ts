import * as vscode from "vscode";

/** Schemes of virtual documents: the sides of a diff. */
export const REQUEST_SCHEME = "baton-request";
export const CHANGE_SCHEME = "baton-change";

/** Stores the content of diffs under unique addresses, so that an answer belongs to exactly that content. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  /** `id` and `side` distinguish documents with the same path. The path determines the language. */
  keep(scheme: string, path: string, { id, side, text }: { id: string; side: string; text: string }): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: path.startsWith("/") ? path : `/${path}`, query: `${side}=${encodeURIComponent(id)}` });
    this.#texts.set(String(uri), text);
    return uri;
  }

  forget(uri: vscode.Uri): void {
    this.#texts.delete(String(uri));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(String(uri)) ?? "";
  }
}
