import { isDeepStrictEqual } from "node:util";
import type { Command } from "@baton/core/protocol/command";
import type { EventOf, LoggedEvent } from "@baton/core/protocol/event";
import { sessionOfRequest, type SessionId } from "@baton/core/protocol/ids";
import { foldEffective } from "@baton/core/session/effective-events";
import type { Message } from "@baton/core/session/context/build-messages";
import { reduceSession } from "@baton/core/session/reduce";
import { emptyState, openRequests, type Call, type SessionState } from "@baton/core/session/state";
import { StoreFault } from "../../src/store/database/database.ts";
import type { SessionRow } from "@baton/core/session/session-list";
import { sessionRow, type StoreLists } from "../../src/store/projections.ts";
import type { Session, CommandOutcome } from "../../src/session/session.ts";
import type { SimClient } from "./client.ts";
import { same, type History } from "./history.ts";
import type { Effect, Machine } from "./world/machine.ts";

/** Compares everything that happens in a run with Baton's promises (P1 to P6, P11). `all` lists the broken ones. */
export class Promises {
  readonly all: string[] = [];
  /** The daemon was asked to stop. */
  stopping = false;
  readonly #history: History;
  readonly #paid = new Set<string>();
  readonly #folds = new Map<string, SessionState>();
  /** The mode that called coordination, by session. */
  readonly #coordinating = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #machine: () => Machine;

  constructor(history: History, machine: () => Machine) {
    this.#history = history;
    this.#machine = machine;
  }

  broken(what: string): void {
    this.all.push(what);
  }

  /** The daemon reports an internal error. That is a defect, whatever the store, the model or a tool did. */
  reported(problem: string, error: unknown): void {
    if (this.stopping && (error instanceof StoreFault || isEnd(error))) return; // the next start handles what could not be written at the stop
    this.broken(`defect: ${problem}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  /** The state of a session according to its log, folded separately from the daemon. */
  fold(id: string): SessionState {
    return this.#folds.get(id) ?? emptyState;
  }

  /** The log of a session has new events. */
  committed(id: string, events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const before = this.fold(id);
      const last = this.#history.session(id).length;
      if (event.seq !== last + 1) this.broken(`P1: ${id} has event ${event.seq} after ${last}`);
      this.#fits(id, before, event);
      this.#history.add(id, [event]);
      this.#folds.set(id, event.type === "session.rewound" ? foldEffective(this.#history.session(id)) : reduceSession(before, event));
    }
  }

  /** A command of a call starts to act. */
  began(owner: string, { begun, command }: Effect): void {
    const [session = "", callId = ""] = owner.split("/");
    const call = this.fold(session).calls.find(({ id }) => id === callId);
    if (begun > 1) this.broken(`P2: ${owner} has begun ${begun} times`);
    if (call?.phase !== "running") this.broken(`P2: ${owner} acts, but the log has it ${call ? `as ${call.phase}` : "not at all"}`);
    if (call?.request && !same(call.request.input, call.input)) this.broken(`P4: ${owner} runs with other arguments than were shown`);
    if (!same((call?.input as { command?: string } | undefined)?.command, command)) this.broken(`P4: ${owner} runs another command`);
  }

  /** The daemon calls a model. Every call must have exactly one result right after it. */
  asked(id: string, messages: readonly Message[]): void {
    for (const [i, message] of messages.entries()) {
      const calls = message.role === "assistant" ? message.calls.map((call) => call.id) : [];
      const after = messages[i + 1];
      const results = after?.role === "tool" ? after.results.map((result) => result.id) : [];
      if (message.role !== "tool" && !same(calls, results))
        this.broken(`P5: ${id} asks with calls ${calls.join(" ")} and results ${results.join(" ")}`);
    }
  }

  /** A client receives the answer to its command. */
  acknowledged({ name, session = "" as SessionId }: SimClient, commandId: string, command: Command, settled: CommandOutcome): void {
    if ("refused" in settled) return;
    const asked = command.type === "answer" ? sessionOfRequest(command.requestId) : undefined;
    const log = this.#history.session("id" in settled ? String(settled.id) : (asked ?? session));
    const lost = log.length < settled.seq || !log.some((event) => isOf(event, command));
    if (lost) this.broken(`P1: ${name} was told that ${command.type} (${commandId}) is done; the log does not have it`);
  }

  /** A client receives an event. */
  seen({ name, events }: SimClient, id: SessionId, event: LoggedEvent): void {
    if (event.seq !== events.length + 1) this.broken(`P6: ${name} sees event ${event.seq} of ${id} after ${events.length}`);
    const there = this.#history.session(id)[event.seq - 1];
    if (!same(there, event))
      this.broken(`P1: ${name} sees ${event.type} as event ${event.seq} of ${id}; the log has ${there?.type ?? "nothing"}`);
  }

  /** The daemon's state of a session equals its log, in particular its open requests. */
  holds({ id, state, seq }: Session): void {
    const log = this.#history.session(id);
    if (seq > log.length) this.broken(`P1: the daemon holds event ${seq} of ${id}; the log ends at ${log.length}`);
    if (seq !== log.length) return;
    const [held, open] = [idsOf(state), idsOf(this.fold(id))];
    if (held !== open) this.broken(`P4: the daemon holds the requests "${held}" of ${id}; its log has "${open}"`);
  }

  /** When everything is idle, a session and its rows in the lists are exactly what its log gives. */
  async whole({ id, state }: Session, lists: StoreLists): Promise<void> {
    const log = this.#history.session(id);
    const folded = foldEffective(log);
    const different = differing(state, folded);
    if (idsOf(state) !== idsOf(folded))
      this.broken(`P4: the daemon holds the requests "${idsOf(state)}" of ${id}; its log has "${idsOf(folded)}"`);
    if (different) this.broken(`P1: what the daemon holds of ${id} is not what its log says: ${different}`);
    const [row, meant] = [await lists.session(id), sessionRow(id, folded, log.length)];
    const listed = row ? differing(atRest(row), atRest(meant)) : "it is not there";
    if (listed) this.broken(`P1: what is listed of ${id} is not what its log says: ${listed}`);
    const requests = (await lists.requests()).filter(({ sessionId }) => sessionId === id).map(({ request }) => request.id);
    if (
      !same(
        requests,
        openRequests(folded).map((request) => request.id),
      )
    )
      this.broken(`P4: ${requests.join(" ")} is listed as open in ${id}`);
  }

  #fits(id: string, { calls, created, step }: SessionState, event: LoggedEvent): void {
    const call = "callId" in event ? calls.find((each) => each.id === event.callId) : undefined;
    switch (event.type) {
      case "session.created":
        if (created) this.broken(`P1: ${id} is created twice`);
        break;
      case "request.answered":
        this.#answered.add(event.requestId);
        if (!openRequests(this.fold(id)).some((request) => request.id === event.requestId))
          this.broken(`P4: ${event.requestId} is answered, though it is not open`);
        break;
      case "tool.allowed":
        if (event.verdict.effect !== "allow" && !wasAllowed(call))
          this.broken(`P4: ${id} ${event.callId} is allowed without a person's word`);
        break;
      case "tool.started":
        if (call?.phase !== "allowed") this.broken(`P2: ${id} ${event.callId} starts from ${call?.phase ?? "nowhere"}`);
        break;
      case "tool.finished":
        if (!call || call.phase === "done") this.broken(`P5: ${id} ${event.callId} has two results`);
        else this.#ends(id, call, event.result.outcome);
        break;
      case "model.replied":
      case "model.spent":
        this.#pays(id, step, event.step);
        break;
      case "mode.changed":
        this.#changesMode(id, event);
        break;
      case "call.received":
        this.#checks(id, event);
        break;
      case "session.renamed":
      case "session.archived":
      case "session.rewound":
      case "prompt.received":
      case "prompt.edited":
      case "prompt.withdrawn":
      case "prompt.delivered":
      case "queue.resumed":
      case "coordination.raised":
      case "model.chosen":
      case "limit.changed":
      case "model.started":
      case "model.kept":
      case "model.failed":
      case "request.opened":
      case "request.closed":
      case "diagnostics.reported":
      case "file.kept":
      case "file.changed":
      case "undo.started":
      case "undo.finished":
      case "grant.given":
      case "root.added":
      case "root.removed":
      case "grant.revoked":
      case "hook.finished":
      case "hook.started":
      case "trust.settled":
      case "server.settled":
      case "toolset.changed":
      case "todos.changed":
      case "variables.changed":
      case "compaction.wanted":
      case "compaction.failed":
      case "context.pruned":
      case "context.compacted":
      case "limit.raised":
      case "child.started":
      case "child.spent":
      case "child.ended":
      case "process.started":
      case "process.ended":
      case "sandbox.exceeded":
      case "turn.ended":
        break;
    }
  }

  /**
   * Checks every change of mode against the promise: the user makes it or approves it, or it is coordination, which starts and returns by
   * itself. Remembers the last mode of the user, independently of `reduce`, to know the mode to which coordination has to return.
   */
  #changesMode(id: string, { from, to, origin, by, requestId }: LoggedEvent<EventOf<"mode.changed">>): void {
    const held = this.fold(id).mode;
    if (from !== held) this.broken(`P11: ${id} leaves mode ${from} for ${to}, though it is in ${held}`);
    const calledFrom = this.#coordinating.get(id);
    const isByUser = "person" in by || (requestId !== undefined && this.#answered.has(requestId));
    if (origin === "coordination" && to === "coordinator") {
      this.#coordinating.set(id, from);
      return;
    }
    if (origin === "coordination" && to !== (calledFrom ?? to))
      this.broken(`P11: ${id} returns from coordination to ${to}, not to ${calledFrom}`);
    if (origin === "switch_mode" && !isByUser) this.broken(`P11: ${id} switches from ${from} to ${to}, which nobody approved`);
    if (origin !== "configuration" && origin !== "equip") this.#coordinating.delete(id);
    if (origin === "exit_plan" && !isByUser) this.broken(`P11: ${id} leaves plan for ${to}, which nobody approved`);
  }

  /** The usage of a model's attempt counts once, while it runs. A summary or a title belongs to no step. */
  #pays(id: string, step: SessionState["step"], n: number | undefined): void {
    if (n === undefined) return;
    const attempt = `${id} step ${n}, attempt ${step?.attempt}`;
    if (step?.n !== n || step.phase !== "running") this.broken(`P1: ${attempt} is paid for, though it does not run`);
    if (this.#paid.has(attempt)) this.broken(`P1: ${attempt} is paid for twice`);
    this.#paid.add(attempt);
  }

  /** A check starts once for a change, and only after one. */
  #checks(id: string, { call, check }: LoggedEvent<EventOf<"call.received">>): void {
    const { turn } = this.fold(id);
    if (!check) return;
    if (!turn || turn.changes === 0) this.broken(`P2: ${id} ${call.id} checks a turn that has changed nothing`);
    const last = turn?.checks.find(({ command }) => command === check.command);
    if (last && last.at === turn?.changes) this.broken(`P2: ${id} ${call.id} checks the same change twice`);
    if (last && last.outcome === "unknown") this.broken(`P3: ${id} ${call.id} repeats a check whose result nobody knows`);
  }

  /** Every statement about a command that acted must be true. */
  #ends(id: string, call: Call, outcome: string): void {
    const effect = this.#machine().effects.get(`${id}/${call.id}`);
    if (call.tool !== "run_command" || (call.input as { background?: boolean } | undefined)?.background) return;
    const [begun, done] = [effect?.begun ?? 0, effect?.done ?? 0];
    if (outcome === "ok" && done !== 1) this.broken(`P3: ${id} ${call.id} is said to be done; it was done ${done} times`);
    if (outcome === "denied" && begun > 0) this.broken(`P3: ${id} ${call.id} is said to be denied, but it began`);
    if (outcome === "failed" && begun > done) this.broken(`P3: ${id} ${call.id} is said to have failed; nobody knows that`);
  }
}

/** If the content of a row is equal, its time and seq are not written again. */
const atRest = (row: SessionRow): SessionRow => ({ ...row, updatedAt: 0, seq: 0 });

/** The fields in which two values differ; undefined if they are equal. Mostly they are the same text, which is quick to check. */
function differing(a: object, b: object): string | undefined {
  if (same(a, b)) return undefined;
  const [one, other] = [plain(a), plain(b)];
  const keys = Object.keys({ ...one, ...other }).filter((key) => !isDeepStrictEqual(one[key], other[key]));
  return keys.length === 0
    ? undefined
    : keys.map((key) => `${key} ${JSON.stringify(one[key])}, not ${JSON.stringify(other[key])}`).join("; ");
}

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

const isEnd = (error: unknown): boolean => error instanceof Error && error.message === "the daemon is stopping";

const wasAllowed = (call: Call | undefined): boolean => {
  const choice = call?.answer?.choice;
  return choice === "once" || choice === "session" || choice === "workspace";
};

const idsOf = (state: SessionState): string =>
  openRequests(state)
    .map(({ id }) => id)
    .join(" ");

/** Whether this event is the result of the command, for commands that add one event of their own. */
function isOf(event: LoggedEvent, command: Command): boolean {
  if (command.type === "prompt") return event.type === "prompt.received" && event.promptId === command.promptId;
  if (command.type === "answer") return event.type === "request.answered" && event.requestId === command.requestId;
  return true;
}
