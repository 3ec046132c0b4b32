import { StringDecoder } from "node:string_decoder";
import { spawn, type IPty } from "@lydell/node-pty";
import type { TerminalFrame, TerminalSize } from "@baton/core/terminal/frame";
import { foldLines, stripSequences } from "../commands/terminal-to-text.ts";
import { Emulator } from "./emulator.ts";
import type { HostMessage, HostReply, HostResults, Settling, TerminalProgram } from "./messages.ts";
import { sharedPace } from "./shared-pace.ts";

/** The shortest time between two frames of a viewer. */
const FRAME_MS = 30;
const TEXT_MS = 100;
/** The newest text that is kept until it is sent. */
const MAX_TEXT = 32 * 1024;
/** How long a program may say nothing at its start before a look stops waiting for its first output. */
const FIRST_OUTPUT_MS = 3_000;
/** How long the rest of the output may take after the end of a program. */
const REST_MS = 500;
/** The name of the exit of a program that a signal ended. */
const SIGNALS: Readonly<Record<number, NodeJS.Signals>> = { 1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 6: "SIGABRT", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM" };

type Send = (reply: HostReply) => void;

/**
 * Runs programs in terminals for the daemon, in a process of its own. The process holds the terminals, so no other program that the daemon
 * starts inherits one, and a flood of output does not keep the daemon busy. If the daemon ends, the process ends its programs and itself.
 */
export function serveTerminals(channel: NodeJS.Process): void {
  const terminals = new Map<number, HostedTerminal>();
  const send: Send = (reply) => void (channel.connected && channel.send?.(reply));
  channel.on("message", (message: HostMessage) => {
    const terminal = terminals.get(message.terminal);
    switch (message.type) {
      case "open":
        return void answer(send, message.id, async () => {
          const opened = new HostedTerminal(message, message.size, message.terminal, send, () => terminals.delete(message.terminal));
          terminals.set(message.terminal, opened);
          return { pid: opened.pid };
        });
      case "look":
      case "frame":
        return void answer(send, message.id, async () => {
          if (!terminal) throw new Error("the terminal has ended");
          return message.type === "look" ? terminal.look(message) : terminal.frame(message.viewer);
        });
      case "write":
        return terminal?.write(message.data);
      case "resize":
        return terminal?.resize(message.size);
      case "leave":
        return terminal?.leave(message.viewer);
      case "hangUp":
        return terminal?.hangUp();
    }
  });
  channel.on("disconnect", () => {
    for (const terminal of terminals.values()) terminal.kill();
    channel.exit(0);
  });
}

async function answer(send: Send, id: number, work: () => Promise<HostResults[keyof HostResults]>): Promise<void> {
  try {
    send({ id, result: await work() });
  } catch (error) {
    send({ id, problem: error instanceof Error ? error.message : String(error) });
  }
}

/** All terminals share one pace, so that the screens of many floods do not keep a whole core busy. */
const pace = sharedPace();

class HostedTerminal {
  readonly #pty: IPty;
  readonly #emulator: Emulator;
  readonly #waiting = new Set<() => void>();
  #drawn: Promise<void> = Promise.resolve();
  #outputs = 0;
  #lastAt = performance.now();
  #text = "";
  #textTimer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor({ file, args, cwd, env }: TerminalProgram, size: TerminalSize, terminal: number, send: Send, ended: () => void) {
    this.#emulator = new Emulator(size, (data) => this.write(data));
    this.#pty = spawn(file, [...args], { name: env["TERM"] ?? "xterm-256color", cols: size.columns, rows: size.rows, cwd, env, encoding: null });
    const decoder = new StringDecoder("utf8");
    const fold = foldLines((text) => this.#say(text, () => send({ text: this.#takeText(), terminal })));
    const strip = stripSequences((text) => fold.push(text));
    this.#pty.onData((data) => {
      const bytes = data as unknown as Buffer; // without an encoding node-pty passes bytes
      this.#pty.pause();
      this.#drawn = this.#emulator.write(bytes).then(() => {
        this.#outputs++;
        this.#lastAt = performance.now();
        strip.push(decoder.write(bytes));
        this.#wake();
      });
      void this.#drawn.then(() => pace(bytes.length)).then(() => this.#pty.resume());
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      void this.#finish().then(() => {
        strip.push(decoder.end());
        fold.end();
        const screen = this.#emulator.look();
        this.#emulator.forget("");
        const frame = this.#emulator.frame("") as TerminalFrame; // the first frame of a viewer is never empty
        if (this.#text !== "") send({ text: this.#takeText(), terminal });
        send({ end: { exitCode: signal ? null : exitCode, signal: signal ? (SIGNALS[signal] ?? "SIGKILL") : null, screen, frame }, terminal });
        this.#ended = true;
        this.#wake();
        ended();
        this.#emulator.close();
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  write(data: string): void {
    if (!this.#ended) this.#pty.write(data);
  }

  resize({ columns, rows }: TerminalSize): void {
    if (this.#ended) return;
    try {
      this.#pty.resize(columns, rows);
    } catch {
      return; // the program has ended in this moment
    }
    this.#emulator.resize({ columns, rows });
    this.#wake();
  }

  /** Waits until the output is quiet, then looks. */
  async look({ quietMs, mostMs }: Settling) {
    const began = performance.now();
    const firstOutput = this.#outputs;
    for (;;) {
      const now = performance.now();
      const left = began + mostMs - now;
      const isSilent = this.#outputs === firstOutput;
      const quietFrom = isSilent ? began : Math.max(began, this.#lastAt);
      const quiet = quietFrom + (this.#outputs === 0 ? Math.max(quietMs, FIRST_OUTPUT_MS) : quietMs) - now;
      if (left <= 0 || quiet <= 0) return this.#emulator.look();
      await new Promise((next) => setTimeout(next, Math.min(left, quiet)));
      if (this.#ended) throw new Error("the terminal has ended");
    }
  }

  /** The next frame of a viewer. Waits until something has changed. */
  async frame(viewer: string): Promise<TerminalFrame> {
    await new Promise((next) => setTimeout(next, FRAME_MS));
    for (;;) {
      if (this.#ended) throw new Error("the terminal has ended");
      const frame = this.#emulator.frame(viewer);
      if (frame) return frame;
      await new Promise<void>((next) => this.#waiting.add(next));
    }
  }

  leave(viewer: string): void {
    this.#emulator.forget(viewer);
  }

  /** Closes the terminal as a user closes a window. Programs get SIGHUP. */
  hangUp(): void {
    this.#signal("SIGHUP");
  }

  kill(): void {
    this.#signal("SIGHUP");
    this.#signal("SIGKILL");
  }

  #signal(name: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, name);
    } catch {
      // It has ended.
    }
  }

  /** Draws what the program wrote before its end. */
  async #finish(): Promise<void> {
    const until = performance.now() + REST_MS;
    for (let drawn = this.#drawn; ; drawn = this.#drawn) {
      await drawn;
      await new Promise((next) => setTimeout(next, 10));
      if (drawn === this.#drawn || performance.now() > until) return;
    }
  }

  #say(text: string, send: () => void): void {
    this.#text = (this.#text + text).slice(-MAX_TEXT);
    this.#textTimer ??= setTimeout(send, TEXT_MS);
  }

  #takeText(): string {
    clearTimeout(this.#textTimer);
    this.#textTimer = undefined;
    const text = this.#text;
    this.#text = "";
    return text;
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const next of waiting) next();
  }
}
