import { hash } from "node:crypto";
import { ENDPOINT_MODE } from "@baton/core/mode/mcp-endpoint-mode";
import type { Command } from "@baton/core/protocol/command";
import { SessionId, sessionOfRequest, type SessionId as Id } from "@baton/core/protocol/ids";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Actor, Request } from "@baton/core/protocol/request";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { openRequests, type SessionState } from "@baton/core/session/state";
import type { SessionRow } from "@baton/core/session/session-list";
import type { StoreLists } from "../store/projections.ts";
import { openImportChunks, type ImportChunk } from "./history/import-chunks.ts";
import { openChildSessions, type ChildLimits } from "./delegation/child-sessions.ts";
import { isAwaited } from "./delegation/delegate-task.ts";
import { ChangeSignal } from "./change-signal.ts";
import { ChangedSessionRows } from "./changed-session-rows.ts";
import { runInBackground } from "./run-in-background.ts";
import { isExternalCall } from "./calls/run/external-call.ts";
import type { SessionDependencies, SharedDependencies } from "./session-dependencies.ts";
import { forkEvents, isAtRest } from "./history/fork-session.ts";
import { trustRequest } from "./workspace/trust-request.ts";
import { Session } from "./session.ts";
import { workspaceOfStream } from "./workspace/workspace-decisions.ts";

/**
 * `load` reads what Baton knows about a workspace. `children` limits delegation. `isTight` says whether memory is short.
 * `sweep` frees blobs that no session references.
 */
const MAX_SWEEP_MS = 5_000;

type SessionsOptions = {
  load: (workspace: string) => Promise<void>;
  children: ChildLimits;
  isTight?: () => boolean;
  sweep?: () => Promise<unknown>;
};

/** The open sessions, and the lists that clients follow. */
export class Sessions {
  readonly lists: StoreLists;
  /** Changes of the session list, of the open requests and of the places. */
  readonly changes = { list: new ChangedSessionRows(), inbox: new ChangeSignal(), places: new ChangeSignal() };
  readonly #services: SessionDependencies;
  readonly #arriving = openImportChunks();
  readonly #live = new Map<Id, Promise<Session>>();
  /** Their states. */
  readonly #states = new Map<Id, SessionState>();
  /** Their folders, as far as known before they are opened. */
  readonly #workspaces = new Map<Id, string>();
  readonly #load: (workspace: string) => Promise<void>;
  readonly #isTight: () => boolean;
  readonly #sweep: (() => Promise<unknown>) | undefined;
  #closed = false;

  constructor(services: SharedDependencies, lists: StoreLists, { load, children, isTight = () => false, sweep }: SessionsOptions) {
    this.lists = lists;
    this.#load = load;
    this.#isTight = isTight;
    this.#sweep = sweep;
    this.#services = {
      ...services,
      children: openChildSessions(
        (id) => this.#opened(id),
        children,
        (id) => this.#states.get(id),
      ),
      onCommit: (id, before, after) => this.#committed(id, before, after),
    };
  }

  /** How many sessions are in memory. */
  get open(): number {
    return this.#live.size;
  }

  /** Whether a session works in this folder, or in a place that shares its settings. */
  workIn(workspace: string): boolean {
    return [...this.#workspaces.values()].some((each) => this.#services.identity(each) === workspace);
  }

  /** The states of the open sessions. */
  states(): ReadonlyMap<Id, SessionState> {
    return this.#states;
  }

  /** Returns a session of the store, and opens it if necessary. */
  async find(id: string): Promise<Session | { refused: Refusal }> {
    const known = SessionId.safeParse(id);
    if (known.success && this.#live.has(known.data)) return this.#opened(known.data);
    const row = known.success ? await this.lists.session(known.data) : undefined;
    if (!known.success || !row) return refuse("session_not_found", `There is no session ${id}. \`baton sessions\` lists them.`);
    return this.#opened(known.data, row);
  }

  /** Returns the session that holds this request. */
  async holding(requestId: string): Promise<Session | { refused: Refusal }> {
    const id = sessionOfRequest(requestId);
    const session = id ? await this.find(id) : undefined;
    if (!session || "refused" in session)
      return refuse("request_not_found", `There is no request ${requestId}. \`baton inbox\` lists the open ones.`);
    return session;
  }

  /**
   * Starts a session in a loaded folder. Its id has 10 letters and digits. `askTrust`: a user is present who can decide whether
   * to trust the folder.
   */
  async create(
    command: Omit<Extract<Command, { type: "create" }>, "type" | "trust"> & { askTrust?: boolean },
    commandId: string,
  ): Promise<{ seq: number; id: Id } | { refused: Refusal }> {
    const id = idFrom(commandId);
    const session = await this.#opened(id);
    const { askTrust = false, ...creation } = command;
    const {
      permissions: { trust },
      permissions: { projectFiles },
      clock,
    } = this.#services;
    const asks = askTrust && trust(creation.workspace) === "unknown";
    const question = asks ? { trust: trustRequest(id, creation.workspace, projectFiles(creation.workspace), clock.now()) } : {};
    const outcome = await session.handle({ type: "create", ...creation, ...question }, commandId);
    return "refused" in outcome ? outcome : { ...outcome, id };
  }

  /** Returns the session for calls of other agents through a profile of the endpoint in a workspace. It is in no list. */
  async ofEndpoint(profile: string, workspace: string): Promise<Session> {
    const {
      store: { shared },
      store: { machine },
    } = this.#services;
    const id = idFrom(`endpoint ${profile} ${workspaceOfStream(shared && machine?.id, workspace)}`);
    const open = await this.#live.get(id);
    if (open?.state.created) return open; // every call of the endpoint comes through here
    await this.#load(workspace);
    const session = await this.#opened(id);
    const by: Actor = { daemon: true };
    await session.begin(
      [
        { type: "session.created", workspace, mode: ENDPOINT_MODE, stepLimit: 1, endpoint: profile, by },
        { type: "session.renamed", title: `Endpoint ${profile}` },
        { type: "session.archived", archived: true },
      ],
      `endpoint-${id}`,
    );
    return session;
  }

  /** Starts a session that repeats another one up to a seq, or to its end. Refuses a seq beyond the end. */
  async fork(source: string, commandId: string, by: Actor, at?: number): Promise<{ id: Id } | { refused: Refusal }> {
    const found = await this.find(source);
    if ("refused" in found) return found;
    if (found.log.unreadable !== undefined) return refuse("fork_impossible", found.log.unreadable);
    const events = await this.#services.store.log.read<SessionEvent>(found.id);
    const last = events.at(-1)?.seq ?? 0;
    if (at !== undefined && at > last)
      return refuse("fork_impossible", `There is no event ${at} in the session ${found.id}. The last one is ${last}.`);
    const id = idFrom(commandId);
    const [created, ...rest] = forkEvents(events, found.id, id, by, at);
    if (created?.type !== "session.created" || created.endpoint !== undefined) return noConversation("fork_impossible");
    await (await this.#opened(id)).begin([created, ...rest], commandId);
    return { id };
  }

  /** Starts a session from the events of an export, in this folder. */
  async import(piece: ImportChunk, workspace: string, commandId: string, by: Actor): Promise<{ id: Id | null } | { refused: Refusal }> {
    const id = idFrom(commandId);
    const arrived = this.#arriving.add(commandId, piece);
    if ("kept" in arrived) return { id: null };
    if ("missing" in arrived) {
      const isThere = (await this.lists.session(id)) !== undefined; // its answer was lost on the way
      return isThere ? { id } : refuse("import_impossible", "A part of the export is missing. Import it again.");
    }
    const events = arrived.whole;
    const [first] = events;
    if (first?.type !== "session.created")
      return refuse("import_impossible", "An export begins with session.created. Export the session again.");
    await this.#load(workspace);
    const firstRequest = events.find((event) => event.type === "request.opened");
    const source = firstRequest ? sessionOfRequest(firstRequest.request.id) : undefined;
    const [created, ...rest] = forkEvents(events.filter(isOfConversation), source ?? id, id, by);
    if (created?.type !== "session.created" || created.endpoint !== undefined) return noConversation("import_impossible");
    const { forkedFrom: _, ...own } = created;
    if (!isAtRest([created, ...rest]))
      return refuse("import_impossible", "This export would start work by itself, so Baton did not write it. Export the session again.");
    await (await this.#opened(id)).begin([{ ...own, workspace }, ...rest], commandId);
    return { id };
  }

  /**
   * Deletes an idle session with its children, the commands that they left running and, unless `sweep` is false, the blobs
   * that nothing else references. The answer to `commandId` is stored in the same batch, because nobody finds the session afterwards.
   */
  async delete(
    named: string,
    { sweep = true, commandId }: { sweep?: boolean; commandId?: string } = {},
  ): Promise<{ deleted: Id[] } | { refused: Refusal }> {
    const found = await this.find(named);
    if ("refused" in found) return found;
    const ids = [found.id, ...(await this.lists.below(found.id))];
    const open = await Promise.all(ids.map(async (id) => this.#live.get(id)));
    const busy = () => open.some((session) => session?.state.turn);
    const isBusy = () => refuse("busy", "A turn is running in this session. Stop it first, then delete.");
    if (busy()) return isBusy();
    for (const id of ids) await this.#services.tools.stopCommands(id); // their end is recorded while there is a log for it
    if (busy()) return isBusy(); // a command may have arrived meanwhile
    for (const [i, id] of ids.entries()) {
      await open[i]?.close(0);
      this.#forget(id);
    }
    const answer = { deleted: ids };
    const receipt = commandId === undefined ? undefined : { commandId, answer, at: this.#services.clock.now() };
    await this.#services.store.log.drop(ids, { receipt });
    for (const id of ids) await this.#services.outputs.removeSession(id);
    this.changes.list.changed(ids);
    this.changes.inbox.wake();
    if (sweep) await this.#swept();
    return answer;
  }

  /** It takes a long time to sweep a large store. The deletion waits at most a few seconds, and the rest continues in the background. */
  async #swept(): Promise<void> {
    const swept = this.#sweep?.().catch((error: unknown) => this.#services.report("blobs of deleted sessions could not be removed", error));
    const enough = new AbortController();
    await Promise.race([swept, this.#services.clock.wait(MAX_SWEEP_MS, enough.signal).catch(() => undefined)]);
    enough.abort();
  }

  /** Opens the sessions that a killed daemon left with work to do. */
  async resume(): Promise<void> {
    const due = await (this.#services.store.shared ?? this.lists).due();
    for (const id of new Set([...due, ...(await this.#orphaned())])) {
      if (this.#closed) return;
      const row = await this.lists.session(id);
      await this.#opened(id, row).then(
        (session) => this.#cancelOrphan(session),
        (error: unknown) => this.#services.report(`session ${id} could not be opened`, error),
      );
    }
  }

  /**
   * Sessions with a question from a process that ended with the last daemon: a server in the middle of a call, or an agent of
   * the endpoint.
   */
  async #orphaned(): Promise<Id[]> {
    const firstRequest = await this.lists.requests();
    return this.#here(firstRequest.filter(({ request }) => isOfProcess(request)).map(({ sessionId }) => sessionId));
  }

  /** The sessions among these that belong to this machine. */
  async #here(ids: readonly Id[]): Promise<Id[]> {
    const {
      store: { shared },
    } = this.#services;
    if (!shared) return [...ids];
    const here: Id[] = [];
    for (const id of new Set(ids)) if ((await shared.elsewhere(id)) === undefined) here.push(id);
    return here;
  }

  /** Stops a child in its first turn whose parent was stopped without it. */
  async #cancelOrphan({ id, state }: Session): Promise<void> {
    if (!state.parent || state.turns > 1 || !state.turn) return;
    const parent = await this.find(state.parent.sessionId);
    if (!("refused" in parent) && !isAwaited({ childId: id, callId: state.parent.callId }, parent.state))
      await this.#services.children.cancel(id);
  }

  /** Judges the open requests of every open session of a workspace and its places again. Without a workspace: of all sessions. */
  rejudge(workspace?: string): void {
    const { identity } = this.#services;
    const isMeant = (folder: string) => workspace === undefined || identity(folder) === identity(workspace);
    for (const opening of this.#live.values()) {
      runInBackground(
        opening.then((session) => (isMeant(session.state.workspace) ? session.rejudge() : undefined)),
        this.#services.report,
      );
    }
  }

  /** Reads what other daemons have written to open sessions of other machines, and updates the lists. */
  async readOn(changed: ReadonlySet<Id>): Promise<void> {
    for (const opening of this.#live.values()) await opening.then((session) => session.readOn());
    if (changed.size === 0) return;
    this.changes.list.changed(changed);
    this.changes.inbox.wake();
  }

  /** Withdraws questions about servers that no current file names. The files of idle sessions are not watched. */
  async withdraw(): Promise<void> {
    const firstRequest = (await this.lists.requests()).filter(({ request }) => "server" in request.subject && request.kind === "approval");
    for (const id of new Set(await this.#here(firstRequest.map(({ sessionId }) => sessionId)))) {
      if (this.#closed) return;
      await this.find(id).then(
        (session) => ("refused" in session ? undefined : session.withdraw()),
        (error: unknown) => this.#services.report(`session ${id} could not be opened`, error),
      );
    }
  }

  /** Starts nothing anymore, lets running effects end for at most `drainMs`, then aborts the rest. */
  async close(drainMs: number): Promise<void> {
    this.#closed = true;
    const open = await Promise.allSettled(this.#live.values());
    await Promise.all(open.map(async (result) => (result.status === "fulfilled" ? result.value.close(drainMs) : undefined)));
    this.changes.list.wake();
    this.changes.inbox.wake();
    this.changes.places.wake();
  }

  #opened(id: Id, row?: SessionRow): Promise<Session> {
    const before = this.#live.get(id);
    if (before) return before;
    const opening = (row ? this.#load(row.workspace) : Promise.resolve()).then(() => Session.open(id, this.#services));
    this.#live.set(id, opening);
    if (row) this.#workspaces.set(id, row.workspace);
    opening.then(
      ({ state }) => state.created && this.#stand(id, state),
      () => this.#forget(id),
    );
    return opening;
  }

  #stand(id: Id, state: SessionState): void {
    this.#states.set(id, state);
    this.#workspaces.set(id, state.workspace);
  }

  #forget(id: Id): void {
    this.#live.delete(id);
    this.#workspaces.delete(id);
    this.#states.delete(id);
  }

  #committed(id: Id, before: SessionState, after: SessionState): void {
    if (this.#live.has(id)) this.#stand(id, after); // a deleted session is not remembered again
    if (before.created && after.usage.cost > before.usage.cost) this.#services.spending.add(after.usage.cost - before.usage.cost);
    if (after.grants.length > before.grants.length) this.rejudge(after.workspace);
    if (this.#services.store.changesRow(id, before, after)) this.changes.list.changed([id]);
    if (idsOf(before) !== idsOf(after)) this.changes.inbox.wake();
    if (this.#isTight()) this.#shed();
  }

  /** Frees memory of idle sessions. */
  #shed(): void {
    for (const opening of this.#live.values())
      opening.then(
        (session) => session.rest(),
        () => undefined, // it could not be opened, so it holds nothing
      );
  }
}

/** Whether the process that asked ends with the daemon: a server in the middle of a call, a command, or an agent of the endpoint. */
const isOfProcess = (request: Request): boolean =>
  "network" in request.subject || ("server" in request.subject ? request.kind !== "approval" : isExternalCall(request));

const idsOf = (state: SessionState): string =>
  openRequests(state)
    .map(({ id }) => id)
    .join(" ");

/** The other folders of a session are rights on the machine of its user. The user of an import adds its own. */
const isOfConversation = ({ type }: SessionEvent): boolean => type !== "root.added" && type !== "root.removed";

const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/**
 * Ten characters out of 32, short enough to type. The id follows from the command, so a repeated command starts one session.
 */
const idFrom = (commandId: string): Id =>
  Array.from(hash("sha256", commandId, "buffer").subarray(0, 10), (byte) => ALPHABET[byte % 32]).join("") as Id;

const noConversation = (code: "fork_impossible" | "import_impossible") =>
  refuse(code, "It holds the calls of other agents through the endpoint, and has no conversation to continue.");
