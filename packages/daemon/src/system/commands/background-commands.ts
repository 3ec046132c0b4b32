import { omitUndefined } from "@baton/core/text/omit-undefined";
import { setTimeout } from "node:timers/promises";
import type { TerminalFrame, TerminalSize } from "@baton/core/terminal/command-terminal-frame";
import { exceededLimitText, type ResourceWatch } from "./command-limit-watch.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type { CommandOutput, OutputPart } from "./command-output.ts";
import type { RunningCommand } from "./running-command.ts";
import { killProcessTree, isGroupAlive } from "../platform/process-tree.ts";
import { settlesWithin } from "../settles-within.ts";
import type { QuietWait, TerminalScreen } from "../terminals/terminal-host-messages.ts";
import type { NetworkUse } from "../sandbox-network/host-decisions.ts";
import type { Terminal } from "../terminals/terminals.ts";

/** The call that a command belongs to. Other sessions cannot see the command. The id of the call is the id of the process. */
export type Owner = { sessionId: string; callId: string };

/** `byUser`: the user stopped it, not the agent. */
export type ProcessEnd = { exitCode: number | null; reason: "exited" | "stopped"; byUser?: true };

/** A command that outlives its call. */
export type BackgroundCommandHandle = {
  id: string;
  /** Calls the listener once, when all processes of the command have ended. */
  onEnd(listener: (end: ProcessEnd) => void): void;
  /** Adds a text to its output. */
  print(text: string): void;
  /** Present if it runs in the sandbox. Calls the listener with protected files that it has created, the last time when it has ended. */
  onCreated?(listener: (files: readonly string[]) => void): void;
};

/**
 * The effects of the sandbox on a command. `contained`: it stays in the sandbox. `network`: the hosts that it and other commands of its session
 * used since the last look, if there are any.
 */
type SandboxNews = { contained: boolean; network?: NetworkUse };

/** `text`: the output since the last poll. `end`: present if the command has ended. */
export type ProcessOutput = SandboxNews & { command: string; text: string; omitted: number; end?: ProcessEnd };

/** The screen of a command's terminal. `typedByUser`: the user has typed into it since the last look. */
export type ScreenOutput = SandboxNews & { command: string; screen: TerminalScreen; typedByUser: boolean; end?: ProcessEnd };

export type BackgroundCommandRow = { id: string; command: string; running: boolean; terminal: boolean };

/** A terminal as permissions see it. `reach`: what its program can change, if it was allowed only because it stays in the sandbox. */
export type RunningTerminal = { command: string; reach: string | undefined };

/** A job that `add` keeps. A command with a terminal has that instead of outputs that are read to their end. */
export type BackgroundJob = Pick<RunningCommand, "pid" | "exited" | "drained" | "letGo"> & { terminal?: Terminal };

/** The part of a command that a user reads: its output from a position, and its end if it has ended. */
type ProcessPart = OutputPart & { end?: ProcessEnd };

/** Background commands as clients see them. */
export type CommandMonitor = {
  /** Whether a command runs, or how it ended. Undefined if this daemon does not know the command. */
  status(owner: Owner): "running" | ProcessEnd | undefined;
  /**
   * The output after `position`. With `wait` it waits until there is some or the command has ended. Undefined if this daemon does not know
   * the command.
   */
  read(owner: Owner, position: number, how: { wait: boolean; signal: AbortSignal }): Promise<ProcessPart | undefined>;
  /** The terminal of a command that runs. Undefined if it has none or has ended. */
  terminal(owner: Owner): RunningTerminal | undefined;
  /** Whether a command has or had a terminal. */
  hasTerminal(owner: Owner): boolean;
  /** Types for the user. `size`: the terminal takes the size of the client. False if there is no such terminal that runs. */
  type(owner: Owner, typed: { data: string; size?: TerminalSize | undefined }): boolean;
  /** The changes of a terminal's screen for one viewer, until its command ends. Undefined if there is no such terminal. */
  watch(owner: Owner, signal: AbortSignal): AsyncIterable<TerminalFrame & { end?: ProcessEnd }> | undefined;
  /** Stops a command for the user. Returns its end, or undefined if this daemon does not know the command. */
  stop(owner: Owner): Promise<ProcessEnd | undefined>;
};

/** The sandbox of a command. `reach`: see `RunningTerminal`. `network`: its hosts, to which later ones are added. */
export type CommandSandbox = { contained: boolean; reach?: string; network?: NetworkUse };

type BackgroundCommands = {
  add(owner: Owner, command: string, tag: string, job: BackgroundJob, unread: CommandOutput, box: CommandSandbox): BackgroundCommandHandle;
  checkCapacity(sessionId: string, kind?: "terminal"): SystemFault | undefined;
  /** Waits until the screen of a terminal is quiet, then returns it. Undefined if the session has no such terminal. */
  screen(sessionId: string, id: string, settling: QuietWait & { signal: AbortSignal }): Promise<ScreenOutput | undefined>;
  /** Types for the agent. False if the session has no such terminal that runs. */
  write(sessionId: string, id: string, data: string): boolean;
  output(sessionId: string, id: string, how: { waitMs: number; signal: AbortSignal }): Promise<ProcessOutput | undefined>;
  stop(sessionId: string, id: string): Promise<ProcessOutput | undefined>;
  list(sessionId: string): BackgroundCommandRow[];
  monitor: CommandMonitor;
  /** Ends the processes of a session, or of all sessions. */
  stopAll(sessionId?: string): Promise<void>;
};

type Entry = Owner & {
  command: string;
  tag: string;
  job: BackgroundJob;
  unread: CommandOutput;
  box: CommandSandbox;
  /** How many of its hosts the agent has seen. */
  seen: { reached: number; refused: number };
  typedByUser: boolean;
  ended: Promise<ProcessEnd>;
  finish: (exitCode: number | null) => void;
  stopped?: "agent" | "user";
  end?: ProcessEnd;
};

const MAX_RUNNING = 16;
const MAX_TERMINALS = 10;
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
    entry.job.terminal?.hangUp(); // shells ignore SIGTERM
    await killProcessTree(entry.job.pid, entry.tag, forceSignal);
    entry.job.letGo();
    entry.finish((await entry.job.exited).exitCode);
  }

  return {
    add({ sessionId, callId }, command, tag, job, unread, box) {
      const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
      const finish = (exitCode: number | null) => {
        entry.end ??= { exitCode, reason: entry.stopped ? "stopped" : "exited", ...(entry.stopped === "user" ? { byUser: true } : {}) };
        resolve(entry.end);
      };
      const seen = countsOf(box.network);
      const entry: Entry = { sessionId, callId, command, tag, job, unread, box, seen, typedByUser: false, ended, finish };
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
      waitForEnd(job, tag, forceSignal).then(finish, () => finish(null));
      return { id: callId, onEnd: (listener) => void ended.then(listener, listener), print: (text) => unread.add(text) };
    },
    checkCapacity(sessionId, kind) {
      const rows = running(sessionId);
      const now = rows.map(({ callId }) => callId);
      const terminals = rows.filter(({ job }) => job.terminal).map(({ callId }) => callId);
      if (kind === "terminal" && terminals.length >= MAX_TERMINALS)
        return systemFault(
          "too_many",
          `${terminals.length} commands of this session already have a terminal (${terminals.join(", ")}). Stop one first.`,
        );
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
    async screen(sessionId, id, { quietMs, mostMs, signal }) {
      const entry = entries.get(keyOf({ sessionId, callId: id }));
      const terminal = entry?.job.terminal;
      if (!entry || !terminal) return undefined;
      const looked = terminal.look({ quietMs, mostMs });
      await settlesWithin(looked, mostMs + LOOK_MS, signal);
      const screen = await looked;
      if (await settlesWithin(terminal.ended, 0)) await settlesWithin(entry.ended, END_MS, signal);
      const { typedByUser, end, command } = entry;
      entry.typedByUser = false;
      return { command, screen, typedByUser, ...newsOf(entry), ...omitUndefined({ end }) };
    },
    write(sessionId, id, data) {
      const entry = entries.get(keyOf({ sessionId, callId: id }));
      if (!entry?.job.terminal || entry.end) return false;
      entry.job.terminal.write(data);
      return true;
    },
    list: (sessionId) =>
      of(sessionId).map(({ callId, command, end, job }) => ({ id: callId, command, running: !end, terminal: job.terminal !== undefined })),
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
      terminal(owner) {
        const entry = entries.get(keyOf(owner));
        return entry?.job.terminal && !entry.end ? { command: entry.command, reach: entry.box.reach } : undefined;
      },
      hasTerminal: (owner) => entries.get(keyOf(owner))?.job.terminal !== undefined,
      type(owner, { data, size }) {
        const entry = entries.get(keyOf(owner));
        if (!entry?.job.terminal || entry.end) return false;
        if (size) entry.job.terminal.resize(size);
        if (data !== "") {
          entry.typedByUser = true;
          entry.job.terminal.write(data);
        }
        return true;
      },
      watch(owner, signal) {
        const entry = entries.get(keyOf(owner));
        return entry?.job.terminal ? watchTerminal(entry, entry.job.terminal, signal) : undefined;
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

/** How long the end of a program may precede the end of its command, whose processes are ended first, in milliseconds. */
const END_MS = 4_000;

/** The changes of a screen, and at the end the last screen with the end of the command. */
async function* watchTerminal(entry: Entry, terminal: Terminal, signal: AbortSignal): AsyncIterable<TerminalFrame & { end?: ProcessEnd }> {
  const viewer = crypto.randomUUID();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  const onAbort = () => stop(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    while (!signal.aborted) {
      const frame = await Promise.race([terminal.frame(viewer), stopped]);
      if (signal.aborted) return;
      if (frame) yield frame;
      else {
        const [{ frame: last }, end] = await Promise.all([terminal.ended, entry.ended]);
        yield { ...last, end };
        return;
      }
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    terminal.leave(viewer);
  }
}

/**
 * Waits until no process can write to the outputs, then until the process group has ended, which must be polled. A terminal ends with its
 * program, so what the program leaves behind is ended.
 */
async function waitForEnd(job: BackgroundJob, tag: string, forceSignal: AbortSignal | undefined): Promise<number | null> {
  const { exitCode } = await job.exited;
  await job.drained;
  if (job.terminal) await killProcessTree(job.pid, tag, forceSignal);
  while (await isGroupAlive(job.pid)) await setTimeout(POLL_MS, undefined, { ref: false });
  return exitCode;
}

function outputOf(entry: Entry): ProcessOutput {
  const { command, unread, end } = entry;
  return { command, ...unread.take(), ...newsOf(entry), ...omitUndefined({ end }) };
}

function newsOf(entry: Entry): SandboxNews {
  const { contained, network } = entry.box;
  const { seen } = entry;
  entry.seen = countsOf(network);
  const reached = network?.reached.slice(seen.reached) ?? [];
  const refused = network?.refused.slice(seen.refused) ?? [];
  return { contained, ...(reached.length + refused.length > 0 ? { network: { reached, refused } } : {}) };
}

const countsOf = (use: NetworkUse | undefined): Entry["seen"] => ({
  reached: use?.reached.length ?? 0,
  refused: use?.refused.length ?? 0,
});
