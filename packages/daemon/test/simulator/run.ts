import type { LoggedEvent } from "@baton/core/protocol/event";
import { loadRegexEngine } from "@baton/core/text/regex";
import type { LoadedConfig } from "../../src/config/load-config.ts";
import { confirmedAppendLog } from "../../src/store/confirmed-append-log.ts";
import type { SessionToolbox } from "../../src/session/session-dependencies.ts";
import { Sessions } from "../../src/session/sessions.ts";
import type { Session } from "../../src/session/session.ts";
import { openWorkspaceDecisions } from "../../src/session/workspace/workspace-decisions.ts";
import { toolByName } from "../../src/tool/builtin-tools.ts";
import { step } from "./chaos.ts";
import { SimClient } from "./client.ts";
import { SimClock } from "./world/clock.ts";
import { Draws } from "./draws.ts";
import { History, type Written } from "./history.ts";
import { Machine } from "./world/machine.ts";
import { simParts } from "./world/parts.ts";
import { Promises } from "./promises.ts";
import { simServers } from "./world/servers.ts";
import { comeToRest } from "./rest.ts";
import { Scheduler, settle } from "./world/scheduler.ts";
import { drawConfig } from "./world/settings.ts";
import type { Store } from "./world/store.ts";
import { storeFault, unsteady } from "./world/unsteady-log.ts";

/** A bug that a test adds, to check that it is found. */
export type Plant = {
  tools?: ReturnType<SessionToolbox["of"]>;
  /** Between the store and the daemon. */
  store?: (store: Store, run: Run) => Store;
  /** The position from which a reconnecting client continues. By default, after the events that it has. */
  resumeAt?: (seen: number) => number;
};

export type Outcome = {
  broken: string[];
  trace: string[];
  tape: number[];
  /** The number of events of each type in the log. */
  events: Map<string, number>;
  faults: Set<string>;
  steps: number;
};

const CHAOS = { least: 80, more: 290 };

/** One whole life of a daemon, or several. Random choices decide the next step. Then the faults stop, and everything has to become idle. */
export class Run {
  readonly draws: Draws;
  readonly scheduler = new Scheduler();
  readonly clock = new SimClock();
  readonly history = new History();
  readonly machine = new Machine(this);
  readonly promises = new Promises(this.history, () => this.machine);
  readonly faults = new Set<string>();
  readonly trace: string[] = [];
  readonly servers = simServers();
  readonly tools: ReturnType<SessionToolbox["of"]>;
  readonly resumeAt: (seen: number) => number;
  store: Store;
  sessions!: Sessions;
  config: LoadedConfig;
  life = 0;
  calm = false;
  diskFull = false;
  /** Idle sessions should free what they can read again. */
  tight = false;
  /** `stopping`: it was asked to stop, and lets running work end. */
  stage: "running" | "stopping" | "stopped" = "running";
  readonly clients: SimClient[];
  readonly #types = new Map<string, number>();
  #lasting: Promise<unknown>[] = [];
  #counted = 0;
  #known = new Map<string, Session>();

  constructor(source: number | readonly number[], store: Store, plant: Plant = {}) {
    this.draws = new Draws(source);
    this.store = plant.store?.(store, this) ?? store;
    this.tools = plant.tools ?? toolByName;
    this.resumeAt = plant.resumeAt ?? ((seen) => seen);
    this.config = drawConfig(this.draws);
    this.clients = ["ann", "ben", "cleo"].map((name) => new SimClient(name, this));
  }

  async play(): Promise<Outcome> {
    await loadRegexEngine();
    this.#boot();
    let steps = 0;
    for (const most = CHAOS.least + this.draws.below(CHAOS.more); steps < most && !this.draws.ended && this.fine; steps++) {
      await settle();
      this.#check();
      if (this.fine) await step(this);
    }
    if (this.fine) await comeToRest(this);
    const { trace, faults } = this;
    return { broken: this.promises.all, trace, tape: this.draws.tape, events: this.#types, faults, steps };
  }

  /** Numbers that identify the messages of clients. */
  count(): number {
    return ++this.#counted;
  }

  fault(what: string): void {
    this.faults.add(what);
    this.note(what);
  }

  /** The store reports that it could not write. */
  fail(what: string, text: string): never {
    this.fault(what);
    throw storeFault(text);
  }

  note(what: string): void {
    this.trace.push(what);
  }

  /** The store has accepted a batch. */
  committed(streamId: string, events: readonly Written[], commandId: string | undefined): void {
    for (const { type } of events) this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    if (streamId.includes(":")) this.history.add(streamId, events);
    else this.promises.committed(streamId, events as LoggedEvent[]); // streams of sessions contain events of sessions
    if (events.length > 0)
      this.note(`  ${streamId} has ${events.map(({ seq, type }) => `${seq} ${type}`).join(", ")}${commandId ? ` (${commandId})` : ""}`);
  }

  /** An effect that a dying daemon still caused. */
  last(done: Promise<unknown>): void {
    this.#lasting.push(done);
  }

  knows(session: Session): void {
    this.#known.set(session.id, session);
  }

  /** No promise has been broken so far. */
  get fine(): boolean {
    return this.promises.all.length === 0;
  }

  #boot(): void {
    this.life++;
    this.stage = "running";
    this.promises.stopping = false;
    this.#known.clear();
    const log = confirmedAppendLog(unsteady(this.store.log, this));
    const workspaces = openWorkspaceDecisions(log, this.clock);
    const parts = simParts(this, { log, workspaces, rejudge: (workspace) => this.sessions.rejudge(workspace) });
    const lists = this.store.lists;
    this.sessions = new Sessions(parts, lists, {
      load: workspaces.load,
      children: { perSession: () => 2, depth: () => 3 },
      isTight: () => this.tight,
    });
    void this.sessions.resume().catch((error: unknown) => this.promises.reported("resuming failed", error));
  }

  /** The daemon is asked to stop. */
  stop(): void {
    this.stage = "stopping";
    this.promises.stopping = true;
    const life = this.life;
    this.sessions.close(5_000).then(
      () => {
        if (life === this.life) this.stage = "stopped";
      },
      (error: unknown) => this.promises.reported("could not stop", error),
    );
  }

  /**
   * The process ends at any moment, and is started again. A pending write is complete or missing, and nothing else of the process remains.
   */
  async restart(note: string): Promise<void> {
    this.scheduler.drop();
    this.clock.drop();
    for (const client of this.clients) client.lost();
    await settle();
    await Promise.all(this.#lasting);
    this.#lasting = [];
    this.store = await this.store.reopen();
    for (const difference of await this.history.differences(this.store.log)) this.promises.broken(difference);
    this.note(note);
    this.#boot();
  }

  #check(): void {
    for (const session of this.#known.values()) this.promises.holds(session);
  }
}
