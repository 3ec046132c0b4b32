import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { Readable } from "node:stream";
import { childEnv } from "./child-env.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import { lineSplitter, type Overlong } from "./line-splitter.ts";
import { killProcessTree, PROCESS_TAG } from "../platform/process-tree.ts";
import { settlesWithin } from "../settles-within.ts";

/** A program that speaks over its standard input and output. `env`: its variables besides the harmless ones of the daemon. */
export type StdioProgram = { command: string; args: readonly string[]; cwd: string; env: Readonly<Record<string, string>> };

/** Receives the output of a program as lines or, with `onBytes`, as it comes. */
export type StdioListener = (LineListener | { onBytes: (chunk: Buffer) => void }) & {
  /** The program's error output in pieces. Of a flood only the newest. */
  onStderr: (text: string) => void;
  onEnd: (why: string, exitCode: number | null) => void;
};

type LineListener = { onLine: (line: string) => void; onOverlong: (line: Overlong) => void };

/** A running program, the leader of its own process group. `tag` identifies all of its processes. */
export type StdioProcess = {
  pid: number;
  tag: string;
  /** Resolves when the program can take more input. */
  write: (text: string) => Promise<void>;
  /** Resolves when the program can take more input. */
  writeLine: (line: string) => Promise<void>;
  /** Closes the input, then ends the program and all processes that it started. */
  close: () => Promise<void>;
};

/** Starts programs such as MCP servers and language servers. */
export type StdioProcesses = {
  start: (name: string, spoken: StdioProgram, listener: StdioListener) => Promise<StdioProcess | SystemFault>;
  close: () => Promise<void>;
};

/** Longer lines are not read, because reading them would block everything else. */
const MAX_LINE = 8 * 1024 * 1024;
/** The number of bytes that are read at once, and per second after that. */
const BURST = 32 * 1024 * 1024;
const BYTES_PER_SECOND = 32 * 1024 * 1024;
const PAUSE_MS = 50;
const EXIT_MS = 300;

/**
 * `bootId` begins the tag of each program, so that a later daemon finds what a dead one left. When `forceSignal` aborts, programs that are being
 * terminated are killed.
 */
export function openStdioProcesses(
  bootId: string,
  env: Readonly<Record<string, string | undefined>>,
  forceSignal?: AbortSignal,
): StdioProcesses {
  const open = new Set<StdioProcess>();
  let count = 0;
  return {
    async start(name, spoken, listener) {
      const tag = `${bootId}.mcp/${name}.${++count}`;
      const child = launch(spoken, { ...childEnv(env), ...spoken.env, [PROCESS_TAG]: tag });
      const { pid } = child;
      if (pid === undefined) {
        const error = await new Promise<Error>((failed) => child.once("error", failed));
        return systemFault("not_started", `${spoken.command} could not be started: ${error.message}.`);
      }
      const exited = new Promise<void>((gone) => child.once("exit", () => gone()));
      child.once("exit", (code, signal) => {
        open.delete(talk);
        listener.onEnd(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`, code);
      });
      child.on("error", () => undefined); // the kill came too late
      const { stdin, stdout, stderr } = child;
      if (!stdin || !stdout || !stderr) throw new Error("a child with pipes has pipes");
      stdin.on("error", () => undefined); // the program has ended; its exit reports that
      metered(stdout, "onBytes" in listener ? listener.onBytes : lineSplitter({ most: MAX_LINE, ...listener }));
      metered(stderr, (chunk) => listener.onStderr(chunk.toString()));
      const talk: StdioProcess = {
        pid,
        tag,
        write: (text) => write(stdin, text),
        writeLine: (line) => write(stdin, `${line}\n`),
        close: async () => {
          open.delete(talk);
          stdin.end();
          await settlesWithin(exited, EXIT_MS);
          await killProcessTree(pid, tag, forceSignal);
          for (const stream of [stdout, stderr]) stream.destroy();
        },
      };
      open.add(talk);
      return talk;
    },
    close: async () => void (await Promise.all([...open].map((talk) => talk.close()))),
  };
}

function launch({ command, args, cwd }: StdioProgram, env: Record<string, string>): ChildProcess {
  return spawn(command, [...args], { argv0: path.basename(command), cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
}

function write(stdin: NonNullable<ChildProcess["stdin"]>, text: string): Promise<void> {
  if (stdin.destroyed || stdin.writableEnded) return Promise.resolve(); // nobody reads it anymore, and the end is reported
  if (stdin.write(text)) return Promise.resolve();
  return new Promise((done) => {
    stdin.once("drain", done);
    stdin.once("close", done);
  });
}

/** Limits the pace of reading. A flood waits in its pipe. */
function metered(stream: Readable, take: (chunk: Buffer) => void): void {
  let allowance = BURST;
  let at = performance.now();
  stream.on("error", () => stream.destroy());
  stream.on("data", (chunk: Buffer) => {
    const now = performance.now();
    allowance = Math.min(BURST, allowance + ((now - at) / 1000) * BYTES_PER_SECOND) - chunk.length;
    at = now;
    take(chunk);
    if (allowance > 0) return;
    stream.pause();
    setTimeout(() => stream.resume(), PAUSE_MS).unref();
  });
}
