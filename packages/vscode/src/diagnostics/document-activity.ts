import * as vscode from "vscode";

const LOOK_MS = 50;

/** When each document was last opened, changed or diagnosed. Language extensions say nowhere that their diagnostics are complete. */
export class DocumentActivity implements vscode.Disposable {
  readonly #at = new Map<string, number>();
  readonly #listening: vscode.Disposable[];

  constructor() {
    const note = (uri: vscode.Uri) => void this.#at.set(String(uri), performance.now());
    this.#listening = [
      vscode.workspace.onDidOpenTextDocument(({ uri }) => note(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => note(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#at.delete(String(uri))),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.forEach((uri) => this.#at.has(String(uri)) && note(uri))),
    ];
  }

  /** Whether nothing has happened to these documents for some time. */
  isQuiet(uris: readonly vscode.Uri[], quietMs: number): boolean {
    const last = Math.max(0, ...uris.map((uri) => this.#at.get(String(uri)) ?? 0));
    return performance.now() - last >= quietMs;
  }

  dispose(): void {
    for (const each of this.#listening) each.dispose();
  }
}

/** Waits until something is true, at most for this long. Returns whether it is. */
export async function isTrueWithin(ms: number, isTrue: () => boolean): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    if (isTrue()) return true;
    if (performance.now() >= end) return false;
    await new Promise((next) => setTimeout(next, LOOK_MS));
  }
}
