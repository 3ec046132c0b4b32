import { setTimeout } from "node:timers/promises";
import { exceededLimitText, type ResourceWatch } from "./resource-watch.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type { CommandOutput, OutputPart } from "./command-output.ts";
import type { RunningCommand } from "./running-command.ts";
import { endTree, isGroupAlive } from "../platform/process-tree.ts";
import { settlesWithin } from "../settles-within.ts";

/** The call that a command belongs to. Other sessions cannot see the command. The id of the call is the id of the process. */
export type Owner = { sessionId: string; callId: string };

/** `byUser`: the user stopped it, not the agent. */
export type ProcessEnd = { exitCode: number | null; reason: "exited" | "stopped"; byUser?: true };

/** A command that outlives its call. */
export type Process = {
  id: string;
  /** Calls the listener once, when all processes of the command have ended. */
  onEnd(listener: (end: ProcessEnd) => void): void;
  /** Adds a text to its output. */
  print(text: string): void;
  /** Present if it runs in the sandbox. Calls the listener with protected files that it has created, the last time when it has ended. */
  onCreated?(listener: (files: readonly string[]) => void): void;
};

/** `text`: the output since the last poll. `end`: present if the command has ended. */
export type ProcessOutput = { command: string; text: string; omitted: number; end?: ProcessEnd };

export type ProcessRow = { id: string; command: string; running: boolean };

/** The part of a command that a user reads: its output from a position, and its end if it has ended. */
export type ProcessPart = OutputPart & { end?: ProcessEnd };

/** Background commands as clients see them. */
export type CommandMonitor = {
  /** Whether a command runs, or how it ended. Undefined if this daemon does not know the command. */
  status(owner: Owner): "running" | ProcessEnd | undefined;
  /**
   * The output after `position`. With `wait` it waits until there is some or the command has ended. Undefined if this daemon does not know
   * the command.
   */
  read(owner: Owner, position: number, how: { wait: boolean; signal: AbortSignal }): Promise<ProcessPart | undefined>;
  /** Stops a command for the user. Returns its end, or undefined if this daemon does not know the command. */
  stop(owner: Owner): Promise<ProcessEnd | undefined>;
};

export type BackgroundCommands = {
  add(owner: Owner, command: string, tag: string, job: RunningCommand, unread: CommandOutput): Process;
  checkCapacity(sessionId: string): SystemFault | undefined;
  output(sessionId: string, id: string, how: { waitMs: number; signal: AbortSignal }): Promise<ProcessOutput | undefined>;
  stop(sessionId: string, id: string): Promise<ProcessOutput | undefined>;
  list(sessionId: string): ProcessRow[];
  monitor: CommandMonitor;
  /** Ends the processes of a session, or of all sessions. */
  stopAll(sessionId?: string): Promise<void>;
};

type Entry = Owner & {
  command: string;
  tag: string;
  job: RunningCommand;
  unread: CommandOutput;
  ended: Promise<ProcessEnd>;
  finish: (exitCode: number | null) => void;
  stopped?: "agent" | "user";
  end?: ProcessEnd;
};

const MAX_RUNNING = 16;
const MAX_KEPT = 32;
const POLL_MS = 500;
/** How often a reader of a silent command looks whether it has ended, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Keeps the background commands of each session, within limits. When `forceSignal` aborts, commands that are being terminated are killed.
 */
export function openBackgroundCommands(watch: ResourceWatch, forceSignal?: AbortSignal): BackgroundCommands {
  const entries = new Map<string, Entry>();
  const of = (sessionId: string) => [...entries.values()].filter((entry) => entry.sessionId === sessionId);
  const running = (sessionId: string) => of(sessionId).filter((entry) => !entry.end);

  function forgetOldest(sessionId: string): void {
    const ended = of(sessionId).filter((entry) => entry.end);
    for (const entry of ended.slice(0, Math.max(0, ended.length - MAX_KEPT))) entries.delete(keyOf(entry));
  }

  async function stop(entry: Entry, by: NonNullable<Entry["stopped"]> = "agent"): Promise<void> {
    if (entry.end) return;
    entry.stopped ??= by;
    await endTree(entry.job.pid, entry.tag, forceSignal);
    entry.job.letGo();
    entry.finish((await entry.job.exited).exitCode);
  }

  return {
    add({ sessionId, callId }, command, tag, job, unread) {
      const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
      const finish = (exitCode: number | null) => {
        entry.end ??= { exitCode, reason: entry.stopped ? "stopped" : "exited", ...(entry.stopped === "user" ? { byUser: true } : {}) };
        resolve(entry.end);
      };
      const entry: Entry = { sessionId, callId, command, tag, job, unread, ended, finish };
      entries.set(keyOf(entry), entry);
      forgetOldest(sessionId);
      const unwatch = watch.add({
        leader: job.pid,
        tag,
        over(excess) {
          unread.add(`\n(${exceededLimitText(excess)}, so Baton ended it)\n`);
          void stop(entry).catch(() => finish(null)); // the end is reported in any case
        },
      });
      ended.then(unwatch, unwatch);
      waitForEnd(job).then(finish, () => finish(null));
      return { id: callId, onEnd: (listener) => void ended.then(listener, listener), print: (text) => unread.add(text) };
    },
    checkCapacity(sessionId) {
      const now = running(sessionId).map(({ callId }) => callId);
      if (now.length < MAX_RUNNING) return undefined;
      return systemFault(
        "too_many",
        `${now.length} commands of this session are already running in the background (${now.join(", ")}). Stop one first.`,
      );
    },
    async output(sessionId, id, { waitMs, signal }) {
      const entry = entries.get(keyOf({ sessionId, callId: id }));
      if (!entry) return undefined;
      if (!entry.end && waitMs > 0) await settlesWithin(entry.ended, waitMs, signal);
      return outputOf(entry);
    },
    async stop(sessionId, id) {
      const entry = entries.get(keyOf({ sessionId, callId: id }));
      if (!entry) return undefined;
      await stop(entry);
      return outputOf(entry);
    },
    list: (sessionId) => of(sessionId).map(({ callId, command, end }) => ({ id: callId, command, running: !end })),
    monitor: {
      status(owner) {
        const entry = entries.get(keyOf(owner));
        return entry && (entry.end ?? "running");
      },
      async read(owner, position, { wait, signal }) {
        const entry = entries.get(keyOf(owner));
        if (!entry) return undefined;
        for (;;) {
          const next = entry.unread.next();
          const part = entry.unread.read(position);
          if (entry.end) return { ...part, end: entry.end };
          if (part.text !== "" || !wait) return part;
          await settlesWithin(next, LOOK_MS, signal);
        }
      },
      async stop(owner) {
        const entry = entries.get(keyOf(owner));
        if (entry) await stop(entry, "user");
        return entry?.end;
      },
    },
    async stopAll(sessionId) {
      const wanted = sessionId === undefined ? [...entries.values()] : of(sessionId);
      await Promise.all(wanted.map((entry) => stop(entry)));
    },
  };
}

const keyOf = ({ sessionId, callId }: Owner): string => `${sessionId} ${callId}`;

/** Waits until no process can write to the outputs, then until the process group has ended, which must be polled. */
async function waitForEnd(job: RunningCommand): Promise<number | null> {
  const { exitCode } = await job.exited;
  await job.drained;
  while (await isGroupAlive(job.pid)) await setTimeout(POLL_MS, undefined, { ref: false });
  return exitCode;
}

function outputOf({ command, unread, end }: Entry): ProcessOutput {
  return { command, ...unread.take(), ...(end ? { end } : {}) };
}
