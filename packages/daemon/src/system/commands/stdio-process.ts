import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { Readable } from "node:stream";
import { childEnv } from "./child-env.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import { lineSplitter, type Overlong } from "./line-splitter.ts";
import { endTree, PROCESS_TAG } from "./process-tree.ts";
import { settlesWithin } from "../settles-within.ts";

/** A program to talk with: `env` is what it gets besides the harmless variables of the daemon. */
export type StdioProgram = { command: string; args: readonly string[]; cwd: string; env: Readonly<Record<string, string>> };

export type StdioListener = {
  onLine: (line: string) => void;
  onOverlong: (line: Overlong) => void;
  /** What it prints on its error output, in pieces; of a flood the newest. */
  onSaid: (text: string) => void;
  onEnd: (why: string) => void;
};

/** A program that is spoken with in lines, the leader of its own process group. */
export type StdioProcess = {
  pid: number;
  /** Resolves when the program has room for more. */
  say: (line: string) => Promise<void>;
  /** Closes its input, then ends it and all it has started. */
  close: () => Promise<void>;
};

/** Starts programs that are spoken with in lines, such as MCP servers. */
export type StdioProcesses = {
  start: (name: string, spoken: StdioProgram, heard: StdioListener) => Promise<StdioProcess | SystemFault>;
  close: () => Promise<void>;
};

/** A longer line is not read: reading it would hold up everybody else. */
const MAX_LINE = 8 * 1024 * 1024;
/** So many bytes are read at once, and so many in a second after that. */
const BURST = 32 * 1024 * 1024;
const A_SECOND = 32 * 1024 * 1024;
const PAUSE_MS = 50;
const TIME_TO_GO_MS = 300;

/**
 * `bootId` begins the mark that each program carries, so that a later daemon finds what a dead one left. When `hurry`
 * aborts, those that are being ended politely are ended by force.
 */
export function openStdioProcesses(bootId: string, env: Readonly<Record<string, string | undefined>>, hurry?: AbortSignal): StdioProcesses {
  const open = new Set<StdioProcess>();
  let count = 0;
  return {
    async start(name, spoken, heard) {
      const mark = `${bootId}.mcp/${name}.${++count}`;
      const child = launch(spoken, { ...childEnv(env), ...spoken.env, [PROCESS_TAG]: mark });
      const { pid } = child;
      if (pid === undefined) {
        const error = await new Promise<Error>((failed) => child.once("error", failed));
        return systemFault("not_started", `${spoken.command} could not be started: ${error.message}.`);
      }
      const exited = new Promise<void>((gone) => child.once("exit", () => gone()));
      child.once("exit", (code, signal) => {
        open.delete(talk);
        heard.onEnd(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`);
      });
      child.on("error", () => undefined); // a kill that came too late
      const { stdin, stdout, stderr } = child;
      if (!stdin || !stdout || !stderr) throw new Error("a child with pipes has pipes");
      stdin.on("error", () => undefined); // it has gone; its exit says so
      metered(stdout, lineSplitter({ most: MAX_LINE, ...heard }));
      metered(stderr, (chunk) => heard.onSaid(chunk.toString()));
      const talk: StdioProcess = {
        pid,
        say: (line) => said(stdin, line),
        close: async () => {
          open.delete(talk);
          stdin.end();
          await settlesWithin(exited, TIME_TO_GO_MS);
          await endTree(pid, mark, hurry);
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

function said(stdin: NonNullable<ChildProcess["stdin"]>, line: string): Promise<void> {
  if (stdin.write(`${line}\n`)) return Promise.resolve();
  return new Promise((done) => {
    stdin.once("drain", done);
    stdin.once("close", done);
  });
}

/** Reads no faster than the daemon can bear: a flood waits in its pipe. */
function metered(stream: Readable, take: (chunk: Buffer) => void): void {
  let allowance = BURST;
  let at = performance.now();
  stream.on("error", () => stream.destroy());
  stream.on("data", (chunk: Buffer) => {
    const now = performance.now();
    allowance = Math.min(BURST, allowance + ((now - at) / 1000) * A_SECOND) - chunk.length;
    at = now;
    take(chunk);
    if (allowance > 0) return;
    stream.pause();
    setTimeout(() => stream.resume(), PAUSE_MS).unref();
  });
}
