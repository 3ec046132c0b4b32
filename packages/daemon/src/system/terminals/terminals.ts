import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { TerminalFrame, TerminalSize } from "@baton/core/terminal/command-terminal-frame";
import { currentPlatform } from "../platform/platform.ts";
import { PROCESS_TAG } from "../platform/process-tree.ts";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type {
  HostMessage,
  HostNote,
  HostReply,
  TerminalHostRequest,
  HostResults,
  QuietWait,
  TerminalEnd,
  TerminalProgram,
  TerminalScreen,
} from "./terminal-host-messages.ts";

/** A program that runs in a terminal, the leader of its own session and process group. */
export type Terminal = {
  pid: number;
  /** Never rejects. */
  ended: Promise<TerminalEnd>;
  write(data: string): void;
  resize(size: TerminalSize): void;
  /** Waits until the output is quiet, then returns the screen. */
  look(settling: QuietWait): Promise<TerminalScreen>;
  /** Waits for the next change of the screen for a viewer. The first frame comes at once. Undefined if the program has ended. */
  frame(viewer: string): Promise<TerminalFrame | undefined>;
  leave(viewer: string): void;
  /** Sends SIGHUP, as a terminal does when the user closes it. */
  hangUp(): void;
};

type Terminals = {
  /** Why commands cannot have a terminal here, as a sentence. Undefined: they can. */
  problem(): string | undefined;
  open(program: TerminalProgram, size: TerminalSize, onText: (text: string) => void): Promise<Terminal | SystemFault>;
  close(): void;
};

/** The size of a terminal that nobody looks at. */
export const DEFAULT_SIZE: TerminalSize = { columns: 100, rows: 30 };

type Pending = { terminal: number; resolve: (result: never) => void; reject: (error: Error) => void };
type Open = { onText: (text: string) => void; end: (end: TerminalEnd) => void };

/**
 * Terminals of commands. They belong to one process, the host, which runs while there is a terminal. `tag` marks the host as a process of
 * this daemon. `load` loads the library with the native module.
 */
export function openTerminals(tag: string, load: () => unknown = loadPty): Terminals {
  const pending = new Map<number, Pending>();
  const open = new Map<number, Open>();
  let host: ChildProcess | undefined;
  let count = 0;
  let checked: { problem: string | undefined } | undefined;

  const problem = (): string | undefined => (checked ??= { problem: problemOf(load) }).problem;

  const received = (reply: HostReply): void => {
    if ("end" in reply) {
      open.get(reply.terminal)?.end(reply.end);
      open.delete(reply.terminal);
      rejectAll((each) => each.terminal === reply.terminal);
      if (open.size === 0) stop();
      return;
    }
    if ("text" in reply) return open.get(reply.terminal)?.onText(reply.text);
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ("problem" in reply) waiting?.reject(new Error(reply.problem));
    else waiting?.resolve(reply.result as never); // the host answers with the type of the request
  };
  const rejectAll = (concerns: (waiting: Pending) => boolean): void => {
    for (const [id, waiting] of pending) {
      if (!concerns(waiting)) continue;
      pending.delete(id);
      waiting.reject(new Error("the terminal has ended"));
    }
  };
  const ended = (which: ChildProcess): void => {
    if (host === which) host = undefined;
    else return;
    for (const each of open.values()) each.end(LOST);
    open.clear();
    rejectAll(() => true);
  };
  const start = (): ChildProcess => {
    const program = hostProgram();
    const { PATH, HOME } = process.env;
    const started = fork(program, [], {
      execArgv: ["--max-old-space-size=256", ...(program.endsWith(".ts") ? ["--conditions=@baton/source"] : [])],
      env: { PATH, HOME, [PROCESS_TAG]: tag },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    started.on("message", received);
    started.once("exit", () => ended(started));
    started.once("error", () => ended(started));
    return started;
  };
  function stop(): void {
    const running = host;
    if (!running) return;
    host = undefined;
    if (running.connected) running.disconnect(); // the host then ends its programs and itself
  }
  const tell = (message: HostMessage): void => void host?.send(message, () => undefined); // its end is reported
  const note = (message: HostNote): void => tell(message);
  const ask = <T extends TerminalHostRequest["type"]>(request: Extract<TerminalHostRequest, { type: T }>): Promise<HostResults[T]> => {
    const { promise, resolve, reject } = Promise.withResolvers<HostResults[T]>();
    if (!host) return Promise.reject(new Error("the terminal has ended"));
    const id = ++count;
    pending.set(id, { terminal: request.terminal, resolve, reject });
    tell({ id, ...request });
    return promise;
  };

  return {
    problem,
    async open(program, size, onText) {
      const missing = problem();
      if (missing !== undefined) return systemFault("not_started", missing);
      host ??= start();
      const terminal = ++count;
      const { promise, resolve } = Promise.withResolvers<TerminalEnd>();
      open.set(terminal, { onText, end: resolve });
      try {
        const { pid } = await ask({ type: "open", terminal, size, ...program });
        return {
          pid,
          ended: promise,
          write: (data) => note({ type: "write", terminal, data }),
          resize: (next) => note({ type: "resize", terminal, size: next }),
          look: (settling) => ask({ type: "look", terminal, ...settling }).catch(async () => (await promise).screen),
          frame: (viewer) => ask({ type: "frame", terminal, viewer }).catch(() => undefined),
          leave: (viewer) => note({ type: "leave", terminal, viewer }),
          hangUp: () => note({ type: "hangUp", terminal }),
        };
      } catch (error) {
        open.delete(terminal);
        if (open.size === 0) stop();
        return systemFault("not_started", `The command could not be started: ${error instanceof Error ? error.message : String(error)}.`);
      }
    },
    close() {
      stop();
      for (const each of open.values()) each.end(LOST);
      open.clear();
      rejectAll(() => true);
    },
  };
}

const NOTHING: TerminalScreen = { ...DEFAULT_SIZE, text: "", above: "", omitted: 0, cursor: { row: 1, column: 1 }, fullScreen: false };

/** The end of a program whose host has ended, so nobody knows how it ended. */
const LOST: TerminalEnd = {
  exitCode: null,
  signal: null,
  screen: { ...NOTHING, text: "(The process that held the terminal has ended, so its screen is lost.)" },
  frame: {
    ...DEFAULT_SIZE,
    whole: true,
    scrolled: [],
    lines: [],
    cursor: { row: 0, column: 0, visible: false },
    keys: { applicationCursor: false, bracketedPaste: false },
  },
};

const loadPty = (): unknown => createRequire(import.meta.url)("@lydell/node-pty");

function problemOf(load: () => unknown): string | undefined {
  if (currentPlatform() === "windows") return "Commands cannot have a terminal on Windows yet.";
  try {
    load();
    return undefined;
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return `Commands cannot have a terminal here, because the library for terminals does not load: ${why.replace(/[.:]+$/, "")}.`;
  }
}

/** Beside the bundle, or beside the folder of this source. */
function hostProgram(): string {
  const [built = "", source = ""] = ["terminal-host.js", "../../terminal-host-process.ts"].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return existsSync(built) ? built : source;
}
