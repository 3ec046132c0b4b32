import { createHash } from "node:crypto";
import path from "node:path";
import type { Api } from "@baton/daemon/client";
import { openSessionView, type SessionView } from "@baton/core/client/session-view";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Hunk } from "@baton/core/protocol/tool-view";
import type { SessionRow } from "@baton/core/session/session-list";
import { errorMessage } from "@baton/core/client/rpc-errors";
import * as vscode from "vscode";
import type { DaemonConnection } from "../connection/connection.ts";
import { realPath } from "../connection/folders.ts";
import { runDetached } from "../connection/run-detached.ts";
import type { ActiveSession } from "../session/active-session.ts";
import type { AcceptedHunks } from "./accepted-hunks.ts";
import { hunkKey, locateHunk, type HunkPosition } from "./hunk-position.ts";

type SessionChange = Awaited<ReturnType<Api["session"]["changes"]["query"]>>[number];

/** A hunk that the user has neither accepted nor rejected, and where it is in its document. */
export type OpenHunk = {
  document: vscode.TextDocument;
  sessionId: string;
  change: SessionChange;
  hunk: Hunk;
  key: string;
  place: HunkPosition;
};

/** The events after which the changes are read again. */
const RELOADING: ReadonlySet<SessionEvent["type"]> = new Set(["turn.ended", "undo.finished", "session.rewound"]);

/**
 * The changes of the active session that the user has not reviewed. They are read while no turn is running, because until then none can
 * be rejected.
 */
export class SessionReview implements vscode.Disposable {
  readonly #link: DaemonConnection;
  readonly #current: ActiveSession;
  readonly #accepted: AcceptedHunks;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onChange = this.#changed.event;
  readonly #listening: vscode.Disposable;
  #following: Following | undefined;
  /** The number of the newest read. The results of older ones are dropped. */
  #reading = 0;
  #changes: ReadonlyMap<string, SessionChange> = new Map();

  constructor(link: DaemonConnection, current: ActiveSession, accepted: AcceptedHunks) {
    this.#link = link;
    this.#current = current;
    this.#accepted = accepted;
    this.#listening = vscode.Disposable.from(
      current.onChange(() => this.#update()),
      vscode.workspace.onDidSaveTextDocument((document) => this.#concerns(document) && this.#reload()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#concerns(document) && this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("baton.reviewInEditor") && this.#update()),
    );
    this.#update();
  }

  /** The hunks of a document, from the top. None while it has unsaved changes. */
  hunksOf(document: vscode.TextDocument): OpenHunk[] {
    const change = document.uri.scheme === "file" && !document.isDirty ? this.#changes.get(realPath(document.uri.fsPath)) : undefined;
    const sessionId = this.#following?.id;
    if (!change?.view || change.view.change === "delete" || !change.current || sessionId === undefined) return [];
    const lineAt = (line: number) => (line < document.lineCount ? document.lineAt(line).text : undefined);
    return change.view.hunks.flatMap((hunk): OpenHunk[] => {
      const key = digest(hunkKey(change.path, hunk));
      const place = this.#accepted.has(sessionId, key) ? undefined : locateHunk(hunk, lineAt);
      return place ? [{ document, sessionId, change, hunk, key, place }] : [];
    });
  }

  async accept(hunks: readonly OpenHunk[]): Promise<void> {
    for (const { sessionId, key } of hunks) await this.#accepted.add(sessionId, [key]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#following?.close();
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #concerns({ uri }: vscode.TextDocument): boolean {
    return uri.scheme === "file" && this.#changes.has(realPath(uri.fsPath));
  }

  /** Follows the active session. */
  #update(): void {
    const isOn = vscode.workspace.getConfiguration("baton").get("reviewInEditor", true);
    const wanted = isOn ? this.#current.row : undefined;
    if (wanted?.id === this.#following?.id) return;
    this.#following?.close();
    this.#following = wanted && this.#follow(wanted);
    this.#show([]);
  }

  #follow({ id, workspace }: SessionRow): Following {
    let closed = false;
    let view: SessionView | undefined;
    const following: Following = {
      id,
      workspace,
      isBusy: () => view?.state.turn !== undefined || view?.state.undo !== undefined,
      close: () => {
        closed = true;
        view?.close();
      },
    };
    const open = async () => {
      view = await openSessionView(await this.#link.api(), id, {
        tail: 1,
        onChange: (events) => {
          if (events.some(({ type }) => RELOADING.has(type))) this.#reload();
        },
        onReopened: () => this.#reload(),
        onError: (error) => console.error("baton:", errorMessage(error)),
      });
      if (closed) view.close();
      else this.#reload();
    };
    runDetached(open());
    return following;
  }

  #reload(): void {
    const following = this.#following;
    if (!following || following.isBusy()) return;
    const reading = ++this.#reading;
    const read = async () => {
      const { session } = await this.#link.api();
      const changes = await session.changes.query({ sessionId: following.id });
      if (this.#following === following && this.#reading === reading) this.#show(changes);
    };
    runDetached(read());
  }

  #show(changes: readonly SessionChange[]): void {
    const workspace = this.#following?.workspace ?? "/";
    this.#changes = new Map(changes.map((change) => [path.resolve(workspace, change.path), change]));
    this.#changed.fire();
  }
}

type Following = Pick<SessionRow, "id" | "workspace"> & { isBusy: () => boolean; close: () => void };

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
