import { setTimeout } from "node:timers/promises";
import { exceededLimitText, type ResourceWatch } from "./resource-watch.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type { RunningCommand } from "./running-command.ts";
import { endTree, isGroupAlive } from "./process-tree.ts";
import { settlesWithin } from "../settles-within.ts";

/** The call that a command belongs to. Other sessions cannot see the command. The id of the call is the id of the process. */
export type Owner = { sessionId: string; callId: string };

export type ProcessEnd = { exitCode: number | null; reason: "exited" | "stopped" };

/** A command that outlives its call. */
export type Process = {
  id: string;
  /** Calls the listener once, when all processes of the command have ended. */
  onEnd(listener: (end: ProcessEnd) => void): void;
};

/** `text`: the output since the last poll. `end`: present if the command has ended. */
export type ProcessOutput = { command: string; text: string; omitted: number; end?: ProcessEnd };

export type ProcessRow = { id: string; command: string; running: boolean };

export type BackgroundCommands = {
  add(owner: Owner, command: string, tag: string, job: RunningCommand, unread: UnreadOutput): Process;
  checkCapacity(sessionId: string): SystemFault | undefined;
  output(sessionId: string, id: string, how: { waitMs: number; signal: AbortSignal }): Promise<ProcessOutput | undefined>;
  stop(sessionId: string, id: string): Promise<ProcessOutput | undefined>;
  list(sessionId: string): ProcessRow[];
  /** Ends the processes of a session, or of all sessions. */
  stopAll(sessionId?: string): Promise<void>;
};

type Entry = Owner & {
  command: string;
  tag: string;
  job: RunningCommand;
  unread: UnreadOutput;
  ended: Promise<ProcessEnd>;
  finish: (exitCode: number | null) => void;
  isStopped: boolean;
  end?: ProcessEnd;
};

const MAX_RUNNING = 16;
const MAX_KEPT = 32;
const POLL_MS = 500;

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

  async function stop(entry: Entry): Promise<void> {
    if (entry.end) return;
    entry.isStopped = true;
    await endTree(entry.job.pid, entry.tag, forceSignal);
    entry.job.letGo();
    entry.finish((await entry.job.exited).exitCode);
  }

  return {
    add({ sessionId, callId }, command, tag, job, unread) {
      const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
      const finish = (exitCode: number | null) => {
        entry.end ??= { exitCode, reason: entry.isStopped ? "stopped" : "exited" };
        resolve(entry.end);
      };
      const entry: Entry = { sessionId, callId, command, tag, job, unread, ended, finish, isStopped: false };
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
      return { id: callId, onEnd: (listener) => void ended.then(listener, listener) };
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
    async stopAll(sessionId) {
      const wanted = sessionId === undefined ? [...entries.values()] : of(sessionId);
      await Promise.all(wanted.map(stop));
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

/** Output that waits to be read. If there is too much, only the newest part is kept. */
export type UnreadOutput = { add(text: string): void; take(): { text: string; omitted: number } };

const MAX_UNREAD = 32 * 1024;

export function openUnreadOutput(): UnreadOutput {
  let waiting = "";
  let omitted = 0;
  return {
    add(text) {
      waiting += text;
      if (waiting.length <= 2 * MAX_UNREAD) return;
      omitted += waiting.length - MAX_UNREAD;
      waiting = waiting.slice(-MAX_UNREAD);
    },
    take() {
      const surplus = Math.max(0, waiting.length - MAX_UNREAD);
      const taken = { text: waiting.slice(surplus), omitted: omitted + surplus };
      waiting = "";
      omitted = 0;
      return taken;
    },
  };
}
