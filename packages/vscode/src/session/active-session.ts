import * as vscode from "vscode";
import type { SessionRow } from "@baton/core/session/session-list";
import type { DaemonLists } from "../connection/daemon-lists.ts";

/** The active session of the window: the one on the page, otherwise the last changed one. */
export class ActiveSession implements vscode.Disposable {
  readonly #lists: DaemonLists;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onChange = this.#changed.event;
  readonly #listening: vscode.Disposable;
  #shown: string | undefined;

  constructor(lists: DaemonLists) {
    this.#lists = lists;
    this.#listening = lists.onSessions(() => this.#changed.fire());
  }

  get row(): SessionRow | undefined {
    const rows = this.#lists.sessionsHere;
    return rows.find(({ id }) => id === this.#shown) ?? rows[0];
  }

  show(session: string | undefined): void {
    if (session === this.#shown) return;
    this.#shown = session;
    this.#changed.fire();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}
