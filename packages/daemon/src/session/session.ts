import { findInvalidRule } from "@baton/core/permission/validate-rules";
import { acceptCommand, type AcceptCommandResult, type CommandFacts } from "@baton/core/session/accept-command";
import { foldEffective } from "@baton/core/session/effective-events";
import { nextEffects, type SessionEffect } from "@baton/core/session/next-effects";
import { reduceSession } from "@baton/core/session/reduce";
import { emptyState, type SessionState } from "@baton/core/session/state";
import { usageBetween, type UsageRecord } from "@baton/core/session/usage/usage-totals";
import type { Command } from "@baton/core/protocol/command";
import { eventProblem, withoutInvalidPayload, type LoggedEvent, type SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { CommandReceipt } from "../store/event-log.ts";
import { partialReplyEvents } from "./turn/partial-reply.ts";
import { decideEffect, performEffect } from "./effects/effects.ts";
import { runInBackground } from "./run-in-background.ts";
import { validateGrant } from "./calls/judge/create-grant.ts";
import { pinModes } from "./turn/pin-modes.ts";
import { CallPlans } from "./calls/judge/call-plans.ts";
import { LiveStreams } from "./live-streams.ts";
import { DeferredReads } from "./effects/deferred-reads.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { SessionLog } from "./session-log.ts";
import { closeDisallowedCalls, findRefusedFile } from "./calls/judge/close-disallowed-calls.ts";
import { hooksAfterEvent } from "./hooks/hooks-after-event.ts";
import { isStoreFault, retryOnStoreError } from "./retry-on-store-error.ts";
import { reevaluateApprovals } from "./calls/judge/reevaluate-approvals.ts";
import { requestsOfRemovedServers } from "./servers/server-requests.ts";
import { rewindTo, type Rewind } from "./history/rewind-session.ts";
import { restoreHunk } from "./history/restore-hunk.ts";
import { undoChanges } from "./history/undo-changes.ts";
import { effectFailure } from "./effects/effect-failure.ts";
import { recoverSession } from "./effects/recover-session.ts";

/** The outcome of a command: the seq of the log after it, or the reason for its refusal. */
export type CommandOutcome = { seq: number } | { refused: Refusal };

/**
 * `patient` waits for the store. `from` is the state on which the events build, if not the current one. `still` says whether
 * they are still wanted, which may change during the wait.
 */
type AppendOptions = { patient?: boolean; commandId?: string; from?: SessionState; still?: () => boolean };

const MAX_DECISIONS = 1_000;
const OF_LATER_VERSION =
  "A later version of Baton wrote this session. You can read it here, or fork it to continue here. To continue the session itself, start that version again.";
const unreadable = (seq: number, problem: string): string =>
  `This version of Baton does not understand event ${seq} of this session (${problem}). You can read the session here, but nothing is added to it. Continue it with the version that wrote it.`;
const ofMachine = (name: string): string =>
  `This session belongs to the machine ${name}, whose files it works on. You can read it here. Continue it there, or fork it to continue here.`;

/** Created once, because stack traces are expensive and most aborted work has already reported. */
const NOT_WANTED = new Error("interrupted");

/** Effects that are only decided, and that may wait for a preview, a server or a hook. */
const MAY_BE_UNDECIDED: ReadonlySet<SessionEffect["do"]> = new Set(["judge", "conclude", "deliver", "endTurn"]);

/** Commands that need more than the state. */
const NEEDS_LOG = new Set<Command["type"]>(["rewind", "undo", "redo", "restoreHunk"]);

/** A live session. It is the only writer of its stream, and runs the loop that asks what is next. */
export class Session {
  readonly id: SessionId;
  readonly services: SessionDependencies;
  readonly log: SessionLog;
  readonly live = new LiveStreams();
  readonly looks: DeferredReads;
  readonly plans = new CallPlans();
  #state: SessionState = emptyState;
  #underWay = new Map<string, AbortController>();
  #queue: Promise<unknown> = Promise.resolve();
  #closing = new AbortController();
  #draining = false;
  /** Why nothing can be added here, if so. */
  #readOnly: string | undefined;
  /** Another daemon has written to the session, so what it left open must be closed first. */
  #taken = false;

  private constructor(id: SessionId, services: SessionDependencies) {
    this.id = id;
    this.log = new SessionLog(id, services.store.log);
    this.looks = new DeferredReads(services.clock, () => this.#decideAgain());
    this.services = { ...services, modes: pinModes(services, () => this.#state) };
  }

  /**
   * Folds the log, closes what a killed daemon left open, and continues. A stream without events is a session to be created.
   */
  static async open(id: SessionId, services: SessionDependencies): Promise<Session> {
    const session = new Session(id, services);
    const snapshot = await services.store.snapshot(id);
    if (snapshot === "later") session.#readOnly = OF_LATER_VERSION;
    else if (snapshot) {
      session.#state = snapshot.state;
      session.log.startAfter(snapshot.seq);
    }
    await session.#takeIn();
    const elsewhere = await services.store.shared?.elsewhere(id);
    if (elsewhere) session.#readOnly ??= ofMachine(elsewhere.name);
    if (session.#readOnly !== undefined) return session;
    const recovered = session.#serial(async () => session.#append(await session.#left(), { patient: true }));
    runInBackground(recovered, services.report); // reading does not wait for a store that cannot be written
    return session;
  }

  get state(): SessionState {
    return this.#state;
  }

  get seq(): number {
    return this.log.seq;
  }

  /** Resolves at the next change of the state or of the streaming text. Call it before reading, so that no change is missed. */
  changed(signal?: AbortSignal): Promise<void> {
    return this.live.changed(signal);
  }

  /** Why the session accepts no commands now, if so. */
  closed(): { refused: Refusal } | undefined {
    const { stalled } = this.live;
    if (stalled !== null) return refuse("stalled", stalled);
    if (this.#readOnly !== undefined) return refuse("session_read_only", this.#readOnly);
    return this.#draining ? refuse("stopping", "The daemon is stopping. Try again when it is back.") : undefined;
  }

  /** Handles a client's command. A repeated `commandId` gets the first answer again, including refusals. */
  async handle(command: Command, commandId: string): Promise<CommandOutcome> {
    const closed = this.closed();
    if (closed) return (await this.#answered(commandId).catch(() => undefined)) ?? closed;
    return this.#serial(async () => {
      try {
        return await this.#overtaken(() => this.#settle(command, commandId));
      } catch (error) {
        if (!isStoreFault(error)) throw error;
        return refuse("stalled", error.message);
      }
    });
  }

  /** The first answer to a command, if it was accepted or refused before. */
  async #answered(commandId: string): Promise<CommandOutcome | undefined> {
    return (await this.services.store.log.receipt(this.id, commandId)) as CommandOutcome | undefined; // as `#settle` writes it
  }

  async #settle(command: Command, commandId: string): Promise<CommandOutcome> {
    if (this.#readOnly !== undefined) return refuse("session_read_only", this.#readOnly); // another daemon may have made it read-only meanwhile
    const before = await this.#answered(commandId);
    if (before) return before;
    const accepted = await this.#accept(command);
    if ("refused" in accepted) {
      await this.#keepRefusal(commandId, accepted);
      return accepted;
    }
    await this.#append(closeDisallowedCalls(accepted.events, this.#state, this), {
      commandId,
      ...("before" in accepted ? { from: accepted.before } : {}),
    });
    return { seq: this.seq };
  }

  /** If another daemon wrote or held this session, repeats the work on the current state. */
  async #overtaken<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isStoreFault(error) || !error.conflict) throw error;
      await this.#catchUp();
      if (this.#taken) await this.#append([]);
      return work();
    }
  }

  /** Takes the report of an effect. A report that is no longer wanted, for example after an interrupt, is dropped. */
  report(key: string, events: SessionEvent[]): Promise<void> {
    return this.#serial(async () => {
      await this.#append(events, { patient: true, still: () => nextEffects(this.#state).some((effect) => effect.key === key) });
    });
  }

  /** Starts this session with its first events, unless it has any. `patient`: nobody is there to try again. */
  begin(events: SessionEvent[], commandId: string, { patient = false } = {}): Promise<void> {
    return this.#serial(async () => {
      if (!this.#state.created) await this.#append(events, { commandId, patient });
    });
  }

  /** Adds facts that belong to no effect, such as the end of a background command. */
  note(events: SessionEvent[]): Promise<void> {
    return this.#serial(() => this.#append(events, { patient: true }));
  }

  async #decideAgain(): Promise<void> {
    await this.#serial(() => this.#append([], { patient: true })).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.services.report(`session ${this.id} could not decide`, error);
    });
  }

  /** Judges the waiting calls again after rules have changed. */
  rejudge(): Promise<void> {
    return this.#serial(async () => this.#append(await reevaluateApprovals(this, this.#state), { patient: true }));
  }

  /** Withdraws questions about servers that no file names anymore, unless the store cannot be written. */
  async withdraw(): Promise<void> {
    if (this.#readOnly !== undefined || this.live.stalled !== null) return;
    await this.#serial(() => this.#append(requestsOfRemovedServers(this.#state, this))).catch((error: unknown) =>
      this.services.report(`session ${this.id} could not withdraw a question about a removed server`, error),
    );
  }

  /** Releases memory that can be read from the log again. Does nothing while work is running, which needs it at once. */
  rest(): void {
    if (this.#state.turn || this.#underWay.size > 0) return;
    this.log.rest();
  }

  /**
   * Starts nothing anymore and lets running work end for at most `drainMs`. Then it aborts the rest without recording an end,
   * and the next start finds it.
   */
  async close(drainMs: number): Promise<void> {
    this.#draining = true;
    const drained = new AbortController();
    const timeout = this.services.clock.wait(drainMs, drained.signal).catch(() => undefined);
    await Promise.race([this.#atRest(), timeout]);
    drained.abort();
    this.#closing.abort(new Error("the daemon is stopping"));
    for (const abort of this.#underWay.values()) abort.abort(this.#closing.signal.reason);
    await this.#queue;
    this.live.wake();
  }

  async #atRest(): Promise<void> {
    await this.#queue;
    while (this.#underWay.size > 0) await this.changed();
  }

  /**
   * Commits events together with everything that follows from them at once: verdicts, deliveries, and starts of effects. A step
   * of the loop is therefore one commit before acting and one after. `patient` waits for a store that cannot write. A client's
   * command does not wait and is refused.
   */
  async #append(events: readonly SessionEvent[], { patient = false, still = () => true, ...options }: AppendOptions = {}): Promise<void> {
    const append = async () => {
      if (this.#readOnly !== undefined) return; // it may have become read-only during the wait
      if (this.#taken) await this.#appendOnce(await this.#left(), {});
      this.#taken = false;
      if (still()) await this.#appendOnce(events, options);
    };
    await (patient ? retryOnStoreError(append, this, this.#closing.signal, { overtaken: () => this.#catchUp() }) : append());
    this.#advance();
  }

  /** The events that close what an earlier writer of this session left open. */
  async #left(): Promise<SessionEvent[]> {
    const running = this.#state.calls.filter(({ phase }) => phase === "running");
    const outputs = await Promise.all(running.map(async ({ id }) => [id, await this.services.outputs.read(this.id, id)] as const));
    return recoverSession(this.#state, this.services.tools.of(this.#state), this.services.clock.now(), new Map(outputs));
  }

  /**
   * Reads what another daemon has written meanwhile. Running work is based on an outdated state, so it is aborted, as if this
   * daemon had just started.
   */
  async #catchUp(): Promise<void> {
    const before = this.#state;
    if (!(await this.#takeIn())) return;
    for (const abort of this.#underWay.values()) abort.abort(NOT_WANTED);
    this.#underWay.clear();
    this.#taken = true;
    this.services.onCommit(this.id, before, this.#state, this.seq);
    this.live.wake();
  }

  /** Reads new events of a session that belongs to another machine. */
  async readOn(): Promise<void> {
    if (this.#readOnly !== undefined) await this.#serial(() => this.#catchUp());
  }

  async #appendOnce(events: readonly SessionEvent[], { commandId, from }: Pick<AppendOptions, "commandId" | "from">): Promise<void> {
    const starting = await this.#withStart(events);
    const at = this.services.clock.now();
    const batch: SessionEvent[] = [];
    let draft = from ?? this.#state;
    let seq = this.seq;
    const uses: UsageRecord[] = [];
    const { created } = draft; // another session used what this one starts with
    const extend = (more: readonly SessionEvent[]) => {
      for (const event of more) {
        const before = draft;
        const after = reduceSession(draft, { ...event, seq: ++seq, at });
        const use = created ? usageBetween(draft, after) : undefined;
        if (use) uses.push(use);
        draft = after;
        batch.push(event);
        const hooks = hooksAfterEvent(event, before, after, at, this);
        if (hooks.length > 0) extend(hooks);
      }
    };
    extend([...this.#cutOffBy(events), ...starting]);
    for (let rounds = 0; !this.#draining; rounds++) {
      if (rounds > MAX_DECISIONS) throw new Error(`session ${this.id} does not come to rest`);
      const wanted = nextEffects(draft).filter(({ key }) => !this.#underWay.has(key));
      const decided = await decideEffect(wanted, draft, this);
      if (decided.length === 0) break;
      extend(decided);
    }
    if (batch.length === 0) return;
    const before = this.#state;
    const receipt = commandId === undefined ? undefined : { commandId, answer: { seq } };
    const derived = this.services.store.projectionStatements({ id: this.id, before, after: draft, seq, count: batch.length, uses });
    const logged = await this.services.store.log.append({ streamId: this.id, after: this.seq, events: batch, at, receipt, derived });
    this.live.stall(null);
    this.#state = draft;
    for (const event of logged) this.#keep(event);
    for (const event of logged)
      if (event.type === "file.changed") this.services.editors.record(this.id, this.#state.workspace, event.path, event.at);
    this.services.onCommit(this.id, before, this.#state, this.seq);
    this.live.wake();
  }

  /**
   * Adds to the first event where and when the session starts. It belongs to the machine on which it starts, even if it repeats a session
   * of another machine. A session of the endpoint has no conversation.
   */
  async #withStart(events: readonly SessionEvent[]): Promise<readonly SessionEvent[]> {
    const { store, places } = this.services;
    const first = events.find((event) => event.type === "session.created");
    if (!first) return events;
    const machine = store.machine ? { machine: store.machine } : {};
    const surroundings = first.endpoint === undefined ? { surroundings: await places.environmentContext(first.workspace) } : {};
    return events.map((event) => (event === first ? { ...first, ...machine, ...surroundings } : event));
  }

  /** When its turn ends, the partial reply of the model and its usage are kept, because nobody receives the rest. */
  #cutOffBy(events: readonly SessionEvent[]): SessionEvent[] {
    const { step } = this.#state;
    if (step?.phase !== "running" || !events.some(({ type }) => type === "turn.ended")) return [];
    return partialReplyEvents(step.n, this.live.replyText(step.n), this.live.spent(step.n));
  }

  /** Rewind and undo need the whole log. Other commands need the state only. */
  async #accept(command: Command): Promise<AcceptCommandResult | Rewind> {
    const accepted = acceptCommand(
      this.#state,
      command,
      this.#facts(command.type === "create" ? command.workspace : this.#state.workspace),
    );
    if (!("refused" in accepted) && command.type === "switchMode") return findRefusedFile(command, this.#state, this) ?? accepted;
    if ("refused" in accepted || !NEEDS_LOG.has(command.type)) return accepted;
    const log = await this.services.store.log.read<SessionEvent>(this.id);
    if (command.type === "undo") return undoChanges(command, log, this.#state, this.services);
    if (command.type === "restoreHunk") return restoreHunk(command, log, this.#state, this.services);
    if (command.type === "redo") return undoChanges({ ...command, redo: true, conversation: false }, log, this.#state, this.services);
    return command.type === "rewind" ? rewindTo(command.promptId, log, this.#state, command.by) : accepted;
  }

  async #keepRefusal(commandId: string, answer: { refused: Refusal }): Promise<void> {
    const receipt: CommandReceipt = { commandId, answer };
    if (this.#state.created)
      await this.services.store.log
        .append({ streamId: this.id, after: this.seq, events: [], at: this.services.clock.now(), receipt })
        .catch(() => undefined);
  }

  /**
   * Reads new events from the log, and returns whether there were any. Snapshots contain only understood events, so every event
   * is checked once. An event that this version does not understand changes nothing, and makes the session read-only.
   */
  async #takeIn(): Promise<boolean> {
    const events = await this.services.store.log.read<SessionEvent>(this.id, this.seq);
    for (const event of events) {
      const problem = eventProblem(event);
      if (problem === undefined) this.#state = reduceSession(this.#state, event);
      else this.log.unreadable ??= unreadable(event.seq, problem);
      this.#keep(problem === undefined ? event : withoutInvalidPayload(event));
    }
    this.#readOnly = this.log.unreadable ?? this.#readOnly;
    if (events.some(({ type }) => type === "session.rewound")) this.#state = foldEffective(await this.log.readStored());
    return events.length > 0;
  }

  /** Remembers an event that the state already includes. */
  #keep(event: LoggedEvent): void {
    this.log.keep(event);
    this.live.forget(event);
    if (event.type === "tool.finished") {
      this.plans.forget(event.callId);
      this.services.outputs.remove(this.id, event.callId);
    }
  }

  /**
   * Starts effects that are wanted and not running, and aborts running ones that are no longer wanted. Undecided calls and
   * answers wait.
   */
  #advance(): void {
    if (this.#draining || this.#readOnly !== undefined) return;
    const wanted = new Map(nextEffects(this.#state).map((effect) => [effect.key, effect]));
    for (const [key, abort] of this.#underWay) if (!wanted.has(key)) abort.abort(NOT_WANTED);
    for (const [key, effect] of wanted) if (!MAY_BE_UNDECIDED.has(effect.do) && !this.#underWay.has(key)) this.#begin(key, effect);
  }

  #begin(key: string, effect: SessionEffect): void {
    const abort = new AbortController();
    this.#underWay.set(key, abort);
    void performEffect(effect, this, abort.signal)
      .catch((error: unknown) => (abort.signal.aborted ? undefined : this.#fault(effect, error)))
      .finally(() => {
        if (this.#underWay.get(key) === abort) this.#underWay.delete(key);
        this.live.wake();
      });
  }

  /**
   * After an internal error, ends the work that depends on the effect, so that nobody waits forever. Work beside turns is tried
   * again with the next event.
   */
  async #fault(effect: SessionEffect, error: unknown): Promise<void> {
    this.services.report(`session ${this.id} faulted at ${effect.key}`, error);
    const end = effectFailure(effect, error, this.#state);
    if (end)
      await this.report(effect.key, [end]).catch((again: unknown) =>
        this.services.report(`session ${this.id} stays at ${effect.key}`, again),
      );
  }

  #facts(workspace: string): CommandFacts {
    const { modes, models, clock } = this.services;
    return {
      modes: modes(workspace).all(),
      faultOfModel: models.fault,
      faultOfRule: (rule, request) => findInvalidRule([rule]) ?? (request && validateGrant(rule, request, this.#state, this)),
      now: clock.now(),
    };
  }

  #serial<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => undefined);
    return run;
  }
}
