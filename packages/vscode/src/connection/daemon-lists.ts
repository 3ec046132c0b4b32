import type { InboxItem } from "@baton/core/protocol/request";
import type { SessionRow } from "@baton/core/session/session-list";
import type { Mode } from "@baton/core/protocol/mode";
import { sourceFolder } from "@baton/core/place/source-folder";
import { followInbox, followSessionList } from "@baton/core/client/follow-lists";
import * as vscode from "vscode";
import type { Folders } from "./folders.ts";
import type { DaemonConnection } from "./connection.ts";

const LATE_MS = 5_000;

/** The id of this window for the daemon. It survives a reconnect. */
const WINDOW = crypto.randomUUID();

type Place = { root: string; checkout: string };

/** Data for all sessions: the list, the inbox, the places and the modes. Undefined until they are loaded. */
export class DaemonLists implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #sessionsChanged = new vscode.EventEmitter<void>();
  readonly #inboxChanged = new vscode.EventEmitter<void>();
  readonly onSessions = this.#sessionsChanged.event;
  readonly onInbox = this.#inboxChanged.event;
  readonly #following: { unsubscribe: () => void }[] = [];
  #link: DaemonConnection | undefined;
  readonly #come = Promise.withResolvers<void>();
  #sessions: readonly SessionRow[] | undefined;
  #inbox: readonly InboxItem[] | undefined;
  #places: readonly Place[] = [];
  #modes: readonly Mode[] = [];

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  /** Follows the lists for as long as the window lives. They reconnect automatically. */
  async follow(link: DaemonConnection): Promise<void> {
    this.#link = link;
    const api = await link.api();
    this.#following.push(
      followSessionList(api, (rows) => this.#setSessions(rows)),
      followInbox(api, (items) => this.#setInbox(items), { window: WINDOW }),
      api.place.follow.subscribe(undefined, { onData: ({ data }) => this.#setPlaces(data) }),
    );
    this.#modes = await api.daemon.modes.query();
    this.#sessionsChanged.fire();
  }

  /** Resolves when the sessions are loaded, or after a timeout. */
  async known(): Promise<void> {
    await Promise.race([this.#come.promise, new Promise((late) => setTimeout(late, LATE_MS))]);
  }

  /** Every open request of every session, oldest first. */
  get inbox(): readonly InboxItem[] | undefined {
    return this.#inbox;
  }

  /** Open requests of this window's workspace and of its places; all requests if the window has no folder. */
  get inboxHere(): readonly InboxItem[] {
    return (this.#inbox ?? []).filter(({ workspace }) => this.#isHere(workspace));
  }

  /** Open requests of this workspace that no other window shows. */
  get inboxOurs(): readonly InboxItem[] {
    return this.inboxHere.filter(({ window }) => window === undefined || window === WINDOW);
  }

  /** Whether this window shows a request. A request that belongs to no open window goes to the focused one. */
  async takes({ window, rootSessionId }: InboxItem): Promise<boolean> {
    if (window === WINDOW) return true;
    if (window !== undefined || !vscode.window.state.focused || !this.#link) return false;
    const { request } = await this.#link.api();
    const { adopted } = await request.adopt.mutate({ rootSessionId }).catch(() => ({ adopted: true })); // an older daemon does not have this procedure
    return adopted;
  }

  /** Sessions of this window's workspace and of its places, the last changed first. */
  get sessionsHere(): readonly SessionRow[] {
    return (this.#sessions ?? []).filter(({ workspace }) => this.#isHere(workspace));
  }

  get models(): readonly string[] {
    return [...new Set((this.#sessions ?? []).flatMap(({ model }) => model ?? []))];
  }

  get modes(): readonly Mode[] {
    return this.#modes;
  }

  dispose(): void {
    for (const each of this.#following) each.unsubscribe();
    this.#sessionsChanged.dispose();
    this.#inboxChanged.dispose();
  }

  #isHere(workspace: string): boolean {
    return this.#folders.has(workspace) || this.#folders.has(sourceFolder(this.#places, workspace));
  }

  #setPlaces(places: readonly Place[]): void {
    this.#places = places;
    this.#sessionsChanged.fire();
    this.#inboxChanged.fire();
  }

  #setSessions(rows: readonly SessionRow[]): void {
    this.#sessions = rows;
    this.#come.resolve();
    this.#sessionsChanged.fire();
  }

  #setInbox(items: readonly InboxItem[]): void {
    this.#inbox = items;
    this.#inboxChanged.fire();
  }
}
