import { existsSync, realpathSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import {
  openBackgroundCommands,
  openUnreadOutput,
  type Owner,
  type Process,
  type ProcessOutput,
  type ProcessRow,
} from "./background-commands.ts";
import type { Blobs } from "../files/blob.ts";
import type { HeadAndTail } from "./head-tail-buffer.ts";
import { commandEnv } from "./child-env.ts";
import { exceededLimitText, openResourceWatch, defaultLimits, type CommandLimits, type ExceededLimit } from "./resource-watch.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import { startCommand, type Exit, type RunningCommand } from "./running-command.ts";
import { openPipes } from "./pipe-pool.ts";
import { probeSandbox, type Program, type Sandbox } from "./sandbox.ts";
import { endTree, isGroupAlive, PROCESS_TAG, sweepTagged } from "./process-tree.ts";
import { settlesWithin } from "../settles-within.ts";

export type RunOptions = { cwd: string; timeoutMs: number; signal: AbortSignal; onOutput: (text: string) => void; owner: Owner };

/** How a command ended. `left` is there when something it started still runs. Both ends of the output are in `head` and `tail`. */
export type Finished = HeadAndTail & {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  tookMs: number;
  timedOut: boolean;
  /** What it took that is more than it may, as the beginning of a sentence: it was ended for that. */
  excess?: string;
  left?: Process;
};

/** Runs commands. One for the whole daemon; what runs in the background is told apart by session. */
export type Shell = {
  /** Runs to the end, the time limit or the abort. Takes all with it that it started, unless it ended by itself. */
  run(command: string, options: RunOptions): Promise<Finished | SystemFault>;
  /** Starts a command that outlives its call. */
  start(command: string, options: Pick<RunOptions, "cwd" | "owner">): Promise<Process | SystemFault>;
  /** Waits at most `waitMs` for the end, then gives what is new. Undefined: this session has no such process. */
  output(sessionId: string, id: string, how: { waitMs: number; signal: AbortSignal }): Promise<ProcessOutput | undefined>;
  stop(sessionId: string, id: string): Promise<ProcessOutput | undefined>;
  list(sessionId: string): ProcessRow[];
  stopSession(sessionId: string): Promise<void>;
  /** Ends everything that was started here. */
  close(): Promise<void>;
};

export type ShellOptions = {
  /** Tells this run of the daemon from others; begins the mark that every command carries. */
  bootId: string;
  /** A folder of the daemon's own, for its pipes. */
  folder: string;
  blobs: Blobs;
  env?: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the user wants commands to get; asked at every command. */
  passEnv?: () => readonly string[];
  /** The sandbox that commands run in now, if the person wants one; asked at every command. */
  sandbox?: () => Sandbox | undefined;
  /** What each command may take; asked while commands run. */
  bounds?: (() => CommandLimits) | undefined;
  /** When it aborts, what is being ended politely is ended by force. */
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
  hurry,
  bounds = defaultLimits,
}: ShellOptions): Promise<Shell> {
  const shell = findShell();
  const pipes = await openPipes(folder);
  const watch = openResourceWatch(bounds);
  const background = openBackgroundCommands(watch, hurry);
  const closing = new AbortController();
  let probed: ReturnType<typeof probeSandbox> | undefined;
  const running = new Set<Promise<unknown>>();
  const markOf = ({ sessionId, callId }: Owner): string => `${bootId}.${sessionId}/${callId}`;

  const launch = async (
    command: string,
    { cwd, owner }: Pick<RunOptions, "cwd" | "owner">,
    onText: (text: string) => void,
  ): Promise<RunningCommand | SystemFault> => {
    await turn(); // starting a program holds up everything for some milliseconds: who looks on hears first that it begins
    if (closing.signal.aborted) return systemFault("not_started", "The daemon is stopping; no command is started any more.");
    const elsewhere = faultOfFolder(cwd);
    if (elsewhere) return elsewhere;
    const box = sandbox?.();
    const found = box && (await (probed ??= probeSandbox(box, cwd)));
    if (found && !found.works)
      return systemFault(
        "not_started",
        `The sandbox is on, but does not work here: ${found.why}. The person can mend that or set "sandbox": "off".`,
      );
    const program = box ? { ...shell, wrap: (whole: Program) => box.wrap(whole, cwd) } : shell;
    const given = { ...commandEnv(env, passEnv()), [PROCESS_TAG]: markOf(owner) };
    return startCommand(command, { shell: program, cwd, env: given, pipe: await pipes.take(), blobs, onText });
  };

  const run = async (command: string, options: RunOptions): Promise<Finished | SystemFault> => {
    const { timeoutMs, owner, onOutput } = options;
    const began = performance.now();
    const unread = openUnreadOutput();
    const show = liveText(onOutput);
    const job = await launch(command, options, (text) => {
      show(text);
      unread.add(text);
    });
    if ("fault" in job) return job;
    const mark = markOf(owner);
    const over = new AbortController();
    let excess: ExceededLimit | undefined;
    const unwatch = watch.add({ leader: job.pid, mark, over: (found) => over.abort((excess = found)) });
    const cut = await firstOf(job.exited, timeoutMs, [options.signal, closing.signal, over.signal]);
    unwatch();
    if (cut) await endTree(job.pid, mark, excess ? over.signal : hurry);
    const exit = await job.exited;
    const isDrained = await drained(job);
    job.flush();
    if (cut) job.letGo();
    const isLeft = !cut && (!isDrained || (await isGroupAlive(job.pid)));
    const ends = isLeft ? job.output.ends() : await job.output.finish();
    const took = { tookMs: performance.now() - began, timedOut: cut === "timeout" };
    const finished = { ...ends, ...exit, ...took, ...(excess ? { excess: exceededLimitText(excess) } : {}) };
    return isLeft ? { ...finished, left: background.add(owner, command, mark, job, unread) } : finished;
  };

  return {
    run(command, options) {
      options.signal.throwIfAborted();
      const work = run(command, options);
      running.add(work);
      const forget = () => running.delete(work);
      work.then(forget, forget);
      return work;
    },
    async start(command, options) {
      const full = background.room(options.owner.sessionId);
      if (full) return full;
      const unread = openUnreadOutput();
      const job = await launch(command, options, (text) => unread.add(text));
      return "fault" in job ? job : background.add(options.owner, command, markOf(options.owner), job, unread);
    },
    output: (sessionId, id, how) => background.output(sessionId, id, how),
    stop: (sessionId, id) => background.stop(sessionId, id),
    list: (sessionId) => background.list(sessionId),
    async stopSession(sessionId) {
      await background.stopAll(sessionId);
      await sweepTagged(`${bootId}.${sessionId}/`);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      await background.stopAll();
      await sweepTagged(`${bootId}.`);
      await pipes.close();
    },
  };
}

/** In a folder that has become a link a command would work in another place than the one it was judged for. */
function faultOfFolder(cwd: string): SystemFault | undefined {
  const real = existsSync(cwd) ? realpathSync(cwd) : cwd;
  if (real === cwd) return undefined;
  return systemFault(
    "not_started",
    `The folder ${cwd} has become a link to ${real}, so nothing was run. Ask the person what happened to it.`,
  );
}

function findShell(): { file: string; args: readonly string[] } {
  const folders = ["/bin", "/usr/bin", "/usr/local/bin", ...(process.env["PATH"] ?? "").split(":")];
  const bash = folders.map((folder) => `${folder}/bash`).find((file) => file.startsWith("/") && existsSync(file));
  return bash === undefined ? { file: "/bin/sh", args: ["-c"] } : { file: bash, args: ["--norc", "--noprofile", "-c"] };
}

/** What ended the wait for the exit, if it was not the exit. */
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

/** Reads what is still in the pipe. Somebody else may hold it open, so silence and a second are ends too. */
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

/** Passes on what one can follow; of a flood a glimpse now and then. */
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
