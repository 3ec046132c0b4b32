import type { Command } from "@baton/core/protocol/command";
import type { LoggedEvent } from "@baton/core/protocol/event";
import type { PromptId, SessionId } from "@baton/core/protocol/ids";
import { foldEffective } from "@baton/core/session/effective-events";
import { reduceSession } from "@baton/core/session/reduce";
import { emptyState, type SessionState } from "@baton/core/session/state";
import { followSession } from "../../src/api/follow-session.ts";
import { StoreFault } from "../../src/store/database/database.ts";
import type { CommandOutcome } from "../../src/session/session.ts";
import type { Run } from "./run.ts";
import { drawWish } from "./wish.ts";

/** A client that follows one session over the real `follow`, sends commands, and reconnects after every cut. */
export class SimClient {
  readonly name: string;
  session: SessionId | undefined;
  state: SessionState = emptyState;
  readonly events: LoggedEvent[] = [];
  readonly prompts: PromptId[] = [];
  /** The unanswered commands. The client sends them again, with the same id, until it has an answer. */
  readonly unanswered = new Map<string, Command>();
  readonly #run: Run;
  readonly #sink = { bufferedAmount: 0, terminate: () => this.cut() };
  #following: AbortController | undefined;

  constructor(name: string, run: Run) {
    this.name = name;
    this.#run = run;
  }

  get connected(): boolean {
    return this.#following !== undefined;
  }

  /** Connects, or reconnects, and continues after the last event that it has. */
  connect(): void {
    if (!this.session || this.#following) return;
    const following = new AbortController();
    this.#following = following;
    this.#sink.bufferedAmount = 0;
    void this.#follow(this.session, following.signal).catch((error: unknown) => {
      if (!following.signal.aborted && !(error instanceof StoreFault)) this.#run.promises.reported(`${this.name} could not follow`, error);
      if (this.#following === following) this.#following = undefined;
    });
    for (const [commandId, command] of this.unanswered) this.#send(commandId, command);
  }

  cut(): void {
    this.#following?.abort(new Error("cut"));
    this.#following = undefined;
  }

  /** The socket no longer drains. It takes nothing and does not close. */
  stall(): void {
    this.#sink.bufferedAmount = 2 * 1024 * 1024;
  }

  /** The daemon is dead, and so is the connection. */
  lost(): void {
    this.#following = undefined;
  }

  act(): void {
    const { draws } = this.#run;
    if (!this.session) return this.wish(this.#creation());
    const command = drawWish(draws, {
      by: this.name,
      state: this.state,
      prompts: this.prompts,
      changedFiles: this.events.findLast(({ type }) => type === "file.changed" || type === "undo.finished")?.type === "file.changed",
      nextPrompt: () => `p-${this.name}-${this.#run.count()}` as PromptId,
    });
    if (command.type === "prompt") this.prompts.push(command.promptId);
    this.wish(command);
  }

  wish(command: Command): void {
    const commandId = `c-${this.name}-${this.#run.count()}`;
    this.unanswered.set(commandId, command);
    this.#send(commandId, command);
  }

  #creation(): Command {
    const { draws } = this.#run;
    return {
      type: "create",
      workspace: "/w",
      mode: draws.pick(["code", "code", "build", "build", "orchestrator", "plan", "ask", "coordinator"]),
      stepLimit: draws.pick([20, 20, 3]),
      by: { person: this.name },
      ...(draws.happens(300) ? { limits: { cost: 1 } } : {}),
    };
  }

  #send(commandId: string, command: Command): void {
    const { scheduler, promises } = this.#run;
    const sent = scheduler.step(`${this.name} sends ${command.type}`, () => this.#handled(command, commandId));
    const answered = sent.then((settled) => scheduler.step(`${this.name} is answered`, () => this.#answered(commandId, command, settled)));
    answered.catch((error: unknown) => {
      if (!(error instanceof StoreFault)) promises.reported(`${command.type} of ${this.name} threw`, error);
    });
  }

  async #handled(command: Command, commandId: string): Promise<CommandOutcome & { id?: SessionId }> {
    const { sessions } = this.#run;
    if (command.type === "create") {
      const { type: _, trust: __, ...wish } = command;
      return sessions.create({ ...wish, askTrust: true }, commandId);
    }
    const found = command.type === "answer" ? await sessions.holding(command.requestId) : await sessions.find(this.session ?? "");
    if ("refused" in found) return found;
    this.#run.knows(found);
    return found.handle(command, commandId);
  }

  #answered(commandId: string, command: Command, settled: CommandOutcome & { id?: SessionId }): void {
    const run = this.#run;
    if (!run.calm && run.draws.happens(40)) return run.fault("an answer is lost on its way");
    if ("refused" in settled && (settled.refused.code === "stalled" || settled.refused.code === "stopping")) return;
    this.unanswered.delete(commandId);
    run.promises.acknowledged(this, commandId, command, settled);
    if (!("refused" in settled) && settled.id) this.session ??= settled.id;
  }

  async #follow(id: SessionId, signal: AbortSignal): Promise<void> {
    const { scheduler, promises, sessions } = this.#run;
    const found = await sessions.find(id);
    if ("refused" in found) return promises.reported(`${id} is gone`, new Error(found.refused.message));
    this.#run.knows(found);
    if (this.events.length > found.seq) promises.broken(`P1: ${this.name} has seen ${this.events.length} events; ${id} has ${found.seq}`);
    for await (const [, data] of followSession(found, this.#run.resumeAt(this.events.length), this.#sink, signal)) {
      await scheduler.step(`${this.name} reads`, () => undefined, { signal });
      for (const event of data.events) this.#take(id, event);
    }
  }

  #take(id: SessionId, event: LoggedEvent): void {
    this.#run.promises.seen(this, id, event);
    this.events.push(event);
    this.state = event.type === "session.rewound" ? foldEffective(this.events) : reduceSession(this.state, event);
  }
}
