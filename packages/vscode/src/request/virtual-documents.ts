import * as vscode from "vscode";

/** Texts of requests and changes that are no files: the two sides of a diff. */
export const SCHEME = "baton-request";
export const CHANGE_SCHEME = "baton-change";

/** Keeps what a diff shows under an address of its own, so that an answer is to that and nothing else. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  /** `id` and `side` tell documents of the same path apart; the path gives the language. */
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
