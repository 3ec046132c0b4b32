import { omitUndefined } from "@baton/core/text/omit-undefined";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import {
  openBackgroundCommands,
  type CommandSandbox,
  type CommandMonitor,
  type Owner,
  type BackgroundCommandHandle,
  type ProcessOutput,
  type BackgroundCommandRow,
  type ScreenOutput,
  type BackgroundJob,
} from "./background-commands.ts";
import { openCommandOutput } from "./command-output.ts";
import type { Blobs } from "../files/blob.ts";
import type { HeadAndTail } from "./head-tail-buffer.ts";
import { commandEnv, terminalEnv } from "./child-env.ts";
import { exceededLimitText, openResourceWatch, defaultLimits, type CommandLimits, type ExceededLimit } from "./command-limit-watch.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import { preferForOomKill, startCommand, type Exit, type RunningCommand } from "./running-command.ts";
import { openPipes } from "./pipe-pool.ts";
import type { ProgramCommand, Sandbox, SandboxView } from "../sandbox/sandbox.ts";
import type { NetworkUse } from "../sandbox-network/host-decisions.ts";
import type { NetworkEntry, SandboxNetwork } from "../sandbox-network/sandbox-network.ts";
import { programFolder } from "../sandbox/visible-folders.ts";
import { killProcessTree, isAnyAlive, isGroupAlive, PROCESS_TAG, sweepTagged } from "../platform/process-tree.ts";
import { currentPlatform } from "../platform/platform.ts";
import { findShell, type ShellProgram } from "../platform/shell-program.ts";
import { settlesWithin } from "../settles-within.ts";
import type { QuietWait } from "../terminals/terminal-host-messages.ts";
import { DEFAULT_SIZE, openTerminals } from "../terminals/terminals.ts";

/** The variables and folders that a command gets from the environment of its folder. `folders`: folders for the front of the PATH. */
export type CommandEnvironment = { variables: Readonly<Record<string, string>>; folders: readonly string[] };

/** The options that starting a command needs. */
type LaunchOptions = Pick<RunOptions, "cwd" | "owner" | "writable" | "view" | "environment">;

export type RunOptions = {
  cwd: string;
  writable?: readonly string[];
  /** The command runs in the sandbox and sees only this. It never runs outside. */
  view?: SandboxView;
  environment?: CommandEnvironment;
  timeoutMs: number;
  signal: AbortSignal;
  onOutput: (text: string) => void;
  owner: Owner;
};

/** The end of a command. `left`: a process that it started is still running. `head` and `tail`: both ends of the output. */
export type CommandResult = HeadAndTail & {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  tookMs: number;
  timedOut: boolean;
  /** The limit that it exceeded, as the beginning of a sentence. Baton ended it for that. */
  excess?: string;
  left?: BackgroundCommandHandle;
  /** Present if the command ran in the sandbox: protected files that it created, and files that Baton removed again because they redirect git. */
  contained?: { created: readonly string[]; removed: readonly string[] };
  /** The hosts that it and other commands of its session used, if it ran in a network of the sandbox. */
  network?: NetworkUse;
  /** Sentences about the environment of the folder that the session has not read yet. */
  notes?: readonly string[];
};

/** Runs commands. One for the whole daemon; background commands belong to sessions. */
export type Shell = {
  /** The shell that runs them. */
  program: Pick<ShellProgram, "kind" | "title">;
  /** Runs until the end, the time limit or the abort. Unless it ended by itself, its child processes are ended as well. */
  run(command: string, options: RunOptions): Promise<CommandResult | SystemFault>;
  /** Starts a command that outlives its call. */
  start(command: string, options: LaunchOptions): Promise<BackgroundCommandHandle | SystemFault>;
  /** Starts a command in a terminal. `reach`: what it can change in the sandbox, if it was allowed because it stays there. */
  startTerminal(command: string, options: LaunchOptions & { reach?: string }): Promise<BackgroundCommandHandle | SystemFault>;
  /** Why commands cannot have a terminal here, as a sentence. Undefined: they can. */
  terminalProblem(): string | undefined;
  /** Waits until the screen of a terminal is quiet, then returns it. Undefined if the session has no such terminal. */
  screen(sessionId: string, id: string, how: QuietWait & { signal: AbortSignal }): Promise<ScreenOutput | undefined>;
  /** Types for the agent. False if the session has no such terminal that runs. */
  write(sessionId: string, id: string, data: string): boolean;
  /** Waits at most `waitMs` for the end, then returns the new output. Undefined if the session has no such process. */
  output(sessionId: string, id: string, how: { waitMs: number; signal: AbortSignal }): Promise<ProcessOutput | undefined>;
  stop(sessionId: string, id: string): Promise<ProcessOutput | undefined>;
  list(sessionId: string): BackgroundCommandRow[];
  /** The background commands of all sessions, for clients. */
  monitor: CommandMonitor;
  stopSession(sessionId: string): Promise<void>;
  /** Ends everything that was started here. */
  close(): Promise<void>;
};

/** The sandbox as the shell uses it. */
export type ShellSandbox = {
  /** The sandbox for every command, if the user turned it on. A text says why it does not work. */
  forAll: () => Promise<Sandbox | string | undefined>;
  /** The sandbox for a command that was allowed because it stays inside. A text says why there is none. */
  forContained: () => Promise<Sandbox | string>;
};

export type ShellOptions = {
  /** Identifies this run of the daemon. It begins the tag of every command. */
  bootId: string;
  /** A private folder of the daemon for its pipes. */
  folder: string;
  blobs: Blobs;
  env?: Readonly<Record<string, string | undefined>>;
  /** The names of variables that the user passes to commands. Read for every command. */
  passEnv?: () => readonly string[];
  /** Reads the sandbox for every command. */
  sandbox?: ShellSandbox;
  /** The networks of sandboxed commands. `isUsed`: commands in a folder enter them instead of having all or no network. */
  network?: SandboxNetwork & { isUsed: (cwd: string, isContained: boolean) => boolean };
  /** The limits of each command. Read while commands run. */
  bounds?: (() => CommandLimits) | undefined;
  /** When it aborts, commands that are being terminated are killed. */
  hurry?: AbortSignal | undefined;
};

const OUTPUT_DELAY_MS = 100;
const MAX_DRAIN_MS = 1_000;

export async function openShell({
  bootId,
  folder,
  blobs,
  env = process.env,
  passEnv = () => [],
  sandbox,
  network,
  hurry,
  bounds = defaultLimits,
}: ShellOptions): Promise<Shell> {
  const shell = findShell({ platform: currentPlatform(), env: process.env, exists: existsSync });
  const pipes = await openPipes(folder);
  const watch = openResourceWatch(bounds);
  const background = openBackgroundCommands(watch, hurry);
  const terminals = openTerminals(`${bootId}.terminals`);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const markOf = ({ sessionId, callId }: Owner): string => `${bootId}.${sessionId}/${callId}`;

  /** How a command is wrapped into its sandbox and its network. */
  const prepare = async (
    { cwd, owner, writable, view, environment }: LaunchOptions,
    onText: (text: string) => void,
    isBackground: boolean,
  ): Promise<
    { wrap: (program: ProgramCommand) => ProgramCommand; env: Record<string, string>; entry?: NetworkEntry; isBoxed: boolean } | SystemFault
  > => {
    await turn(); // starting a program blocks for some milliseconds, so clients first learn that the command begins
    if (closing.signal.aborted) return systemFault("not_started", "The daemon is stopping, so it starts no more commands.");
    const elsewhere = checkFolder(cwd);
    if (elsewhere) return elsewhere;
    const box = view && sandbox ? await sandbox.forContained() : await sandbox?.forAll();
    if (typeof box === "string" || (view && !box))
      return systemFault("not_started", `The command was not run, because the sandbox does not work here: ${box ?? "there is none"}.`);
    const joined =
      box && network?.isUsed(cwd, view !== undefined)
        ? await network.enter(owner.sessionId, { background: isBackground, notify: onText })
        : undefined;
    if (typeof joined === "string") onText(`(Baton: the command has no network: ${joined})\n`);
    const entry = typeof joined === "string" ? undefined : joined;
    const isolated = joined !== undefined || view ? { keepsNetwork: entry !== undefined } : {};
    const wrap = (whole: ProgramCommand) => {
      const seen = view ?? { cwd, writable: writable ?? [] };
      const visible = [...(seen.visible ?? []), ...(environment?.folders ?? []).map(programFolder), ...(entry?.visible ?? [])];
      const boxed = box?.wrap(whole, { ...seen, visible, ...isolated }) ?? whole;
      return entry?.wrap(boxed) ?? boxed;
    };
    return { wrap, env: { ...entry?.env, [PROCESS_TAG]: markOf(owner) }, ...omitUndefined({ entry }), isBoxed: box !== undefined };
  };

  const launch = async (
    command: string,
    where: LaunchOptions,
    onText: (text: string) => void,
    isBackground = false,
  ): Promise<(RunningCommand & { joined?: NetworkEntry; isBoxed: boolean }) | SystemFault> => {
    const prepared = await prepare(where, onText, isBackground);
    if ("fault" in prepared) return prepared;
    const { wrap, env: own, entry, isBoxed } = prepared;
    const program = { call: shell.call, wrap };
    const childEnvironment = { ...withEnvironment(commandEnv(env, passEnv()), where.environment), ...own };
    const job = await startCommand(command, {
      shell: program,
      cwd: where.cwd,
      env: childEnvironment,
      pipe: await pipes.take(),
      blobs,
      onText,
    });
    if (!("fault" in job)) return { ...job, ...omitUndefined({ joined: entry }), isBoxed };
    entry?.leave();
    return job;
  };

  /** The same in a terminal. */
  const launchInTerminal = async (
    command: string,
    where: LaunchOptions,
    onText: (text: string) => void,
  ): Promise<(BackgroundJob & { joined?: NetworkEntry }) | SystemFault> => {
    const prepared = await prepare(where, onText, true);
    if ("fault" in prepared) return prepared;
    const { wrap, env: own, entry } = prepared;
    const { file, args } = wrap(shell.call(command));
    const whole = { file, args, cwd: where.cwd, env: { ...withEnvironment(terminalEnv(env, passEnv()), where.environment), ...own } };
    const terminal = await terminals.open(whole, DEFAULT_SIZE, onText);
    if ("fault" in terminal) {
      entry?.leave();
      return terminal;
    }
    preferForOomKill(terminal.pid);
    const drained = terminal.ended.then(() => undefined);
    return { pid: terminal.pid, exited: terminal.ended, drained, letGo: () => undefined, terminal, ...omitUndefined({ joined: entry }) };
  };

  const run = async (command: string, options: RunOptions): Promise<CommandResult | SystemFault> => {
    const { timeoutMs, owner, onOutput } = options;
    const began = performance.now();
    const unread = openCommandOutput();
    const show = liveText(onOutput);
    const job = await launch(command, options, (text) => {
      show(text);
      unread.add(text);
    });
    if ("fault" in job) return job;
    const tag = markOf(owner);
    const over = new AbortController();
    let excess: ExceededLimit | undefined;
    const unwatch = watch.add({ leader: job.pid, tag, over: (found) => over.abort((excess = found)) });
    const cut = await firstOf(job.exited, timeoutMs, [options.signal, closing.signal, over.signal]);
    unwatch();
    if (cut) await killProcessTree(job.pid, tag, excess ? over.signal : hurry);
    const exit = await job.exited;
    const isDrained = await drained(job);
    job.flush();
    if (cut) job.letGo();
    const isLeft = !cut && (await isStillRunning(job, tag, isDrained));
    const ends = isLeft ? job.output.ends() : await job.output.finish();
    const took = { tookMs: performance.now() - began, timedOut: cut === "timeout" };
    const { joined } = job;
    const used = joined ? { network: joined.use } : {};
    const finished = { ...ends, ...exit, ...took, ...used, ...(excess ? { excess: exceededLimitText(excess) } : {}) };
    const left = isLeft ? background.add(owner, command, tag, job, unread, boxOf(options, joined)) : undefined;
    if (left) left.onEnd(() => joined?.leave());
    else joined?.leave();
    return left ? { ...finished, left } : finished;
  };

  return {
    program: shell,
    run(command, options) {
      options.signal.throwIfAborted();
      const work = run(command, options);
      running.add(work);
      const forget = () => running.delete(work);
      work.then(forget, forget);
      return work;
    },
    async start(command, options) {
      const full = background.checkCapacity(options.owner.sessionId);
      if (full) return full;
      const unread = openCommandOutput();
      const job = await launch(command, options, (text) => unread.add(text), true);
      if ("fault" in job) return job;
      const process = background.add(options.owner, command, markOf(options.owner), job, unread, boxOf(options, job.joined));
      process.onEnd(() => job.joined?.leave());
      return process;
    },
    async startTerminal(command, options) {
      const full = background.checkCapacity(options.owner.sessionId, "terminal");
      if (full) return full;
      const unread = openCommandOutput();
      const job = await launchInTerminal(command, options, (text) => unread.add(text));
      if ("fault" in job) return job;
      const { reach } = options;
      const box = { ...boxOf(options, job.joined), ...omitUndefined({ reach }) };
      const process = background.add(options.owner, command, markOf(options.owner), job, unread, box);
      process.onEnd(() => job.joined?.leave());
      return process;
    },
    terminalProblem: () => terminals.problem(),
    screen: (sessionId, id, how) => background.screen(sessionId, id, how),
    write: (sessionId, id, data) => background.write(sessionId, id, data),
    output: (sessionId, id, how) => background.output(sessionId, id, how),
    stop: (sessionId, id) => background.stop(sessionId, id),
    list: (sessionId) => background.list(sessionId),
    monitor: background.monitor,
    async stopSession(sessionId) {
      await background.stopAll(sessionId);
      network?.end(sessionId);
      await sweepTagged(`${bootId}.${sessionId}/`);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      await background.stopAll();
      network?.close();
      terminals.close();
      await sweepTagged(`${bootId}.`);
      await pipes.close();
    },
  };
}

const boxOf = ({ view }: LaunchOptions, joined: NetworkEntry | undefined): CommandSandbox => ({
  contained: view !== undefined,
  ...omitUndefined({ network: joined?.use }),
});

function withEnvironment(base: Record<string, string>, environment: CommandEnvironment | undefined): Record<string, string> {
  if (!environment) return base;
  const { variables, folders } = environment;
  return { ...base, ...variables, PATH: [...folders, base["PATH"] ?? ""].join(path.delimiter) };
}

/** Rejects a folder that has become a link. A command would work in another folder than the one it was judged for. */
function checkFolder(cwd: string): SystemFault | undefined {
  const real = existsSync(cwd) ? realpathSync(cwd) : cwd;
  if (real === cwd) return undefined;
  return systemFault(
    "not_started",
    `The folder ${cwd} has become a link to ${real}, so nothing was run. Ask the user what happened to it.`,
  );
}

/** The event that ended the wait, if it was not the exit of the command. */
async function firstOf(
  exited: Promise<Exit>,
  timeoutMs: number,
  signals: readonly AbortSignal[],
): Promise<"timeout" | "abort" | undefined> {
  const { promise, resolve } = Promise.withResolvers<"timeout" | "abort" | undefined>();
  const timer = setTimeout(() => resolve("timeout"), timeoutMs);
  const stop = () => resolve("abort");
  for (const signal of signals) signal.addEventListener("abort", stop, { once: true });
  const end = () => resolve(undefined);
  exited.then(end, end);
  if (signals.some(({ aborted }) => aborted)) stop();
  const first = await promise;
  clearTimeout(timer);
  for (const signal of signals) signal.removeEventListener("abort", stop);
  return first;
}

/** The kernel takes down the namespaces of a sandbox after its program has ended. That takes some milliseconds. */
const SANDBOX_END_MS = 300;

/**
 * Whether a process that the command started is still running. On a busy machine the end of the pipe can come late, although every process has
 * ended. A process without the tag may have the pipe, too.
 */
async function isStillRunning(job: RunningCommand & { isBoxed: boolean }, tag: string, isDrained: boolean): Promise<boolean> {
  const until = performance.now() + (job.isBoxed ? SANDBOX_END_MS : 0);
  while (isDrained ? await isGroupAlive(job.pid) : await isAnyAlive(job.pid, tag)) {
    if (performance.now() >= until) return true;
    await wait(10);
  }
  return !isDrained && !(await settlesWithin(job.drained, MAX_DRAIN_MS));
}

/** Reads the rest of the pipe. Other processes may keep it open, so a silence or one second ends the wait as well. */
async function drained(job: RunningCommand): Promise<boolean> {
  const until = performance.now() + MAX_DRAIN_MS;
  while (!(await settlesWithin(job.drained, OUTPUT_DELAY_MS))) {
    const now = performance.now();
    if (now >= until || now - job.lastOutputAt() >= OUTPUT_DELAY_MS) return false;
  }
  return true;
}

const SHOWN_WHOLE = 256 * 1024;
const SHOW_EVERY_MS = 200;

/** Passes on output at a readable pace. Of a flood only samples are passed on. */
function liveText(show: (text: string) => void): (text: string) => void {
  let shown = 0;
  let skipped = 0;
  let lastAt = 0;
  return (text) => {
    if (shown < SHOWN_WHOLE) {
      shown += text.length;
      return show(text);
    }
    const glimpse = text.slice(-2_000);
    skipped += text.length - glimpse.length;
    const now = performance.now();
    if (now - lastAt < SHOW_EVERY_MS) {
      skipped += glimpse.length;
      return undefined;
    }
    lastAt = now;
    show(`\n… ${skipped} characters …\n${glimpse}`);
    skipped = 0;
    return undefined;
  };
}
