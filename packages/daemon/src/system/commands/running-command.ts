import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { closeSync, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { headTailBuffer, MAX_SPILL_BYTES, type HeadTailBuffer } from "./head-tail-buffer.ts";
import type { Blobs } from "../files/blob.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import { outputThrottle } from "./output-throttle.ts";
import { foldLines, stripSequences } from "./terminal-to-text.ts";
import { currentPlatform } from "../platform/platform.ts";
import type { ShellProgram } from "../platform/shell-program.ts";
import type { ProgramCommand } from "../sandbox/sandbox.ts";
import type { Pipe } from "./pipe-pool.ts";

export type Exit = { exitCode: number | null; signal: NodeJS.Signals | null };

/** A started command, the leader of its own process group. */
export type RunningCommand = {
  pid: number;
  exited: Promise<Exit>;
  /** Resolves when no process can write to its outputs. That may be long after its exit. */
  drained: Promise<void>;
  output: HeadTailBuffer;
  /** Monotonic milliseconds. */
  lastOutputAt(): number;
  /** Updates `output` while the output is throttled. */
  flush(): void;
  /** Stops reading. */
  letGo(): void;
};

type CommandOptions = {
  /** `wrap` puts the program into a sandbox. */
  shell: Pick<ShellProgram, "call"> & { wrap?: (program: ProgramCommand) => ProgramCommand };
  cwd: string;
  env: Record<string, string>;
  pipe: Pipe | undefined;
  blobs: Blobs;
  onText: (text: string) => void;
};

/** Starts a command without input. Both outputs are read as one text without terminal sequences. */
export async function startCommand(
  command: string,
  { shell, cwd, env, pipe, blobs, onText }: CommandOptions,
): Promise<RunningCommand | SystemFault> {
  const child = spawnWith(command, shell, { cwd, env, pipe });
  const streams = [pipe?.read, child.stdout, child.stderr].filter((stream) => stream != null);
  const { pid } = child;
  if (pid === undefined) {
    const { promise, resolve } = Promise.withResolvers<Error>();
    child.once("error", resolve);
    return notStarted(await promise, cwd, streams);
  }
  preferForOomKill(pid);
  const exited = Promise.withResolvers<Exit>();
  child.once("exit", (exitCode, signal) => exited.resolve({ exitCode, signal }));
  const output = headTailBuffer(blobs);
  const readings = streams.map((stream) => read(stream, output, onText));
  return {
    pid,
    exited: exited.promise,
    drained: Promise.all(readings.map(({ ended }) => ended)).then(() => undefined),
    output,
    lastOutputAt: () => Math.max(...readings.map(({ lastAt }) => lastAt())),
    flush: () => readings.forEach(({ flush }) => flush()),
    letGo: () => streams.forEach((stream) => stream.destroy()),
  };
}

function spawnWith(
  command: string,
  shell: CommandOptions["shell"],
  { cwd, env, pipe }: Pick<CommandOptions, "cwd" | "env" | "pipe">,
): ChildProcess {
  const stdio: StdioOptions = pipe ? ["ignore", pipe.write, pipe.write] : ["ignore", "pipe", "pipe"];
  try {
    const plain = shell.call(command);
    const { file, args } = shell.wrap?.(plain) ?? plain;
    const onWindows = currentPlatform() === "windows"; // a detached process would open a window there
    return spawn(file, args, {
      argv0: path.basename(file),
      cwd,
      env,
      detached: !onWindows,
      stdio,
      windowsHide: true,
      windowsVerbatimArguments: plain.verbatim === true,
    });
  } finally {
    if (pipe) closeSync(pipe.write);
  }
}

/** If the machine runs out of memory, the system ends this command before the daemon and the user's programs. */
export function preferForOomKill(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "500");
  } catch {
    // The command has already ended, or the system does not support this.
  }
}

function notStarted(error: Error, cwd: string, streams: readonly Readable[]): SystemFault {
  for (const stream of streams) stream.destroy();
  const reason = existsSync(cwd) ? error.message : `the folder ${cwd} no longer exists`;
  return systemFault("not_started", `The command could not be started: ${reason}.`);
}

type Reading = { ended: Promise<void>; lastAt: () => number; flush: () => void };

function read(stream: Readable, output: HeadTailBuffer, onText: (text: string) => void): Reading {
  const ended = Promise.withResolvers<void>();
  const decoder = new StringDecoder("utf8");
  let lastAt = performance.now();
  let isBehind = false;
  const resume = () => {
    isBehind = false;
    stream.resume();
  };
  const fold = foldLines((text) => {
    if (output.add(text) || isBehind) return;
    isBehind = true;
    stream.pause();
    output.drained().then(resume, resume);
  });
  const strip = stripSequences((text) => {
    onText(text);
    fold.push(text);
  });
  const gate = outputThrottle({
    free: MAX_SPILL_BYTES,
    take: (chunk) => strip.push(decoder.write(chunk)),
    lose: (bytes, lines) => output.omit(bytes, lines),
  });
  stream.on("data", (chunk: Buffer) => {
    lastAt = performance.now();
    gate.push(chunk);
  });
  stream.once("error", () => stream.destroy());
  stream.once("close", () => {
    gate.flush();
    strip.push(decoder.end());
    strip.end();
    fold.end();
    ended.resolve();
  });
  return { ended: ended.promise, lastAt: () => (isBehind ? performance.now() : lastAt), flush: () => gate.flush() };
}
