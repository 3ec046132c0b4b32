import type { Logged } from "@baton/core/protocol/event";
import { loadExpressions } from "@baton/core/permission/expression";
import { openRequests } from "@baton/core/session/state";
import type { Loaded } from "../../src/config/load.ts";
import type { Parts } from "../../src/session/parts.ts";
import { Sessions } from "../../src/session/sessions.ts";
import type { Session } from "../../src/session/session.ts";
import { openWorkspaces } from "../../src/session/workspaces.ts";
import { toolByName } from "../../src/tool/index.ts";
import { SimClient } from "./client.ts";
import { SimClock } from "./clock.ts";
import { Draws } from "./draws.ts";
import { History, type Written } from "./history.ts";
import { Machine } from "./machine.ts";
import { simParts } from "./parts.ts";
import { Promises } from "./promises.ts";
import { simServers } from "./servers.ts";
import { Scheduler, settle } from "./scheduler.ts";
import { drawConfig } from "./settings.ts";
import type { Store } from "./store.ts";
import { storeFault, unsteady } from "./unsteady-log.ts";

/** A fault that a test puts in, to see that it is found. */
export type Plant = {
  tools?: ReturnType<Parts["tools"]>;
  /** Between the store and the daemon. */
  store?: (store: Store, run: Run) => Store;
  /** Where a client that comes back goes on; after the events that it has, when not given. */
  resumeAt?: (seen: number) => number;
};

export type Outcome = {
  broken: string[];
  trace: string[];
  tape: number[];
  /** How often each type of event came into the log. */
  events: Map<string, number>;
  faults: Set<string>;
  steps: number;
};

const CHAOS = { least: 80, more: 290 };
const MOST_CALM_STEPS = 20_000;

/** One whole life of a daemon, or several: chance decides what happens next, then the faults stop and everything has to come to rest. */
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
  readonly tools: ReturnType<Parts["tools"]>;
  readonly resumeAt: (seen: number) => number;
  store: Store;
  sessions!: Sessions;
  config: Loaded;
  life = 0;
  calm = false;
  diskFull = false;
  readonly #clients: SimClient[];
  readonly #types = new Map<string, number>();
  #lasting: Promise<unknown>[] = [];
  #closed: boolean | undefined;
  #counted = 0;
  #known = new Map<string, Session>();

  constructor(source: number | readonly number[], store: Store, plant: Plant = {}) {
    this.draws = new Draws(source);
    this.store = plant.store?.(store, this) ?? store;
    this.tools = plant.tools ?? toolByName;
    this.resumeAt = plant.resumeAt ?? ((seen) => seen);
    this.config = drawConfig(this.draws);
    this.#clients = ["ann", "ben", "cleo"].map((name) => new SimClient(name, this));
  }

  async play(): Promise<Outcome> {
    await loadExpressions();
    this.#boot();
    let steps = 0;
    for (const most = CHAOS.least + this.draws.below(CHAOS.more); steps < most && !this.draws.ended && this.#fine; steps++) {
      await settle();
      this.#check();
      if (this.#fine) await this.#step();
    }
    if (this.#fine) await this.#end();
    const { trace, faults } = this;
    return { broken: this.promises.all, trace, tape: this.draws.tape, events: this.#types, faults, steps };
  }

  /** Numbers that name what clients send. */
  count(): number {
    return ++this.#counted;
  }

  fault(what: string): void {
    this.faults.add(what);
    this.note(what);
  }

  /** The store says that it could not write. */
  fail(what: string, text: string): never {
    this.fault(what);
    throw storeFault(text);
  }

  note(what: string): void {
    this.trace.push(what);
  }

  /** The store has taken a batch. */
  committed(streamId: string, events: readonly Written[], commandId: string | undefined): void {
    for (const { type } of events) this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    if (streamId.includes(":")) this.history.add(streamId, events);
    else this.promises.committed(streamId, events as Logged[]); // streams of sessions hold events of sessions
    if (events.length > 0)
      this.note(`  ${streamId} has ${events.map(({ seq, type }) => `${seq} ${type}`).join(", ")}${commandId ? ` (${commandId})` : ""}`);
  }

  /** Something that a dying daemon still got done. */
  last(done: Promise<unknown>): void {
    this.#lasting.push(done);
  }

  knows(session: Session): void {
    this.#known.set(session.id, session);
  }

  get #fine(): boolean {
    return this.promises.all.length === 0;
  }

  #boot(): void {
    this.life++;
    this.#closed = undefined;
    this.promises.stopping = false;
    this.#known.clear();
    const log = unsteady(this.store.log, this);
    const workspaces = openWorkspaces(log, this.clock);
    const parts = simParts(this, { log, workspaces, rejudge: (workspace) => this.sessions.rejudge(workspace) });
    const lists = this.store.lists;
    this.sessions = new Sessions(parts, lists, { load: workspaces.load, mostChildren: () => 2 });
    void this.sessions.resume().catch((error: unknown) => this.promises.reported("resuming failed", error));
  }

  async #step(): Promise<void> {
    const { draws, scheduler, clock } = this;
    if (this.#closed) return this.#restart("the daemon has stopped and is started again");
    const kind = draws.weighted({ go: 800, client: 80, time: 60, fault: 22 });
    switch (kind) {
      case "go":
        if (scheduler.size > 0) return this.note(scheduler.release(draws.happens(600) ? draws.below(scheduler.size) : 0));
        return this.#someClient();
      case "client":
        return this.#someClient();
      case "time":
        if (clock.timers === 0 || draws.happens(300)) return clock.pass(draws.pick([5, 500, 2_500]));
        return clock.next();
      case "fault":
        return this.#something();
    }
  }

  /** Somebody comes, goes or wishes something. */
  #someClient(): void {
    const client = this.draws.pick(this.#clients);
    const other = this.#clients.find(({ session }) => session !== undefined);
    if (!client.session && other && this.draws.happens(800)) client.session = other.session;
    if (client.session && !client.connected) {
      this.note(`${client.name} connects`);
      return client.connect();
    }
    client.act();
  }

  async #something(): Promise<void> {
    const { draws } = this;
    const what = draws.weighted({ cut: 5, slow: 4, kill: 4, stop: 2, full: 3, free: 3, clock: 2, sleep: 1, rules: 6 });
    const client = draws.pick(this.#clients);
    switch (what) {
      case "cut":
        this.fault("a client is cut off");
        return client.cut();
      case "slow":
        this.fault("a client takes nothing any more");
        return client.stall();
      case "kill":
        this.fault("the daemon is killed");
        return this.#kill();
      case "stop":
        if (this.#closed !== undefined) return;
        this.fault("the daemon is told to stop");
        return this.#stop();
      case "full":
        this.diskFull = true;
        return;
      case "free":
        this.diskFull = false;
        return;
      case "clock":
        this.fault("the clock is set");
        return this.clock.set(draws.pick([3_600_000, -86_400_000]));
      case "sleep":
        this.fault("the machine sleeps for 8 hours");
        return this.clock.pass(8 * 3_600_000);
      case "rules":
        this.fault("rules and settings change");
        this.config = drawConfig(draws);
        return this.sessions.rejudge();
    }
  }

  #stop(): void {
    this.#closed = false;
    this.promises.stopping = true;
    const life = this.life;
    this.sessions.close(5_000).then(
      () => {
        if (life === this.life) this.#closed = true;
      },
      (error: unknown) => this.promises.reported("could not stop", error),
    );
  }

  /** At any moment: what was being written is there or is not, and nothing else of the process is left. */
  async #kill(): Promise<void> {
    this.scheduler.drop();
    await this.#restart("it is started again");
  }

  async #restart(note: string): Promise<void> {
    this.scheduler.drop();
    this.clock.drop();
    for (const client of this.#clients) client.lost();
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

  /** The faults stop. Everything comes to rest, or waits for a person; then the person answers, and everything comes to rest. */
  async #end(): Promise<void> {
    this.note("the faults stop");
    this.calm = true;
    this.diskFull = false;
    for (const client of this.#clients) {
      client.cut();
      client.connect();
    }
    await this.#rest();
    if (this.#closed !== undefined) {
      await this.#restart("the daemon has stopped and is started again");
      for (const client of this.#clients) client.connect();
      await this.#rest();
    }
    for (let round = 0; round < 40 && this.#fine; round++) {
      const open = this.history.sessions.flatMap((id) => openRequests(this.promises.fold(id)));
      if (open.length === 0) break;
      for (const { id, choices } of open)
        this.#clients[0]?.wish({ type: "answer", requestId: id, answer: { choice: choices[0]?.id ?? "" }, by: { person: "ann" } });
      await this.#rest();
    }
    if (this.#fine) await this.#allIsWell();
  }

  async #rest(): Promise<void> {
    for (let steps = 0; steps < MOST_CALM_STEPS && this.#fine; steps++) {
      await settle();
      if (this.scheduler.size > 0) this.note(this.scheduler.release(0));
      else if (this.clock.timers > 0) this.clock.next();
      else return this.#isAtRest();
    }
    if (this.#fine) this.promises.broken("liveness: it does not come to rest");
  }

  #isAtRest(): void {
    if (this.#closed !== undefined) return;
    for (const id of this.history.sessions) {
      const state = this.promises.fold(id);
      if (state.turn && !waits(id, this)) this.promises.broken(`liveness: ${id} neither goes on nor waits for a person`);
    }
  }

  async #allIsWell(): Promise<void> {
    for (const id of this.history.sessions) {
      const finding = this.sessions.find(id);
      await this.#rest();
      if (!this.#fine) return;
      const found = await finding;
      if ("refused" in found) return this.promises.broken(`P1: ${id} cannot be found`);
      await this.promises.whole(found, this.store.lists);
    }
    for (const { name, session = "", events, connected } of this.#clients)
      if (connected && events.length !== this.history.session(session).length)
        this.promises.broken(`P6: ${name} has ${events.length} events of ${session}; the log has ${this.history.session(session).length}`);
  }
}

/** Whether a session, or one that it waits for, has an open request. */
const waits = (id: string, { history, promises }: Run): boolean =>
  [id, ...history.sessions.filter((each) => each.startsWith(`${id}.`))].some((each) => openRequests(promises.fold(each)).length > 0);
