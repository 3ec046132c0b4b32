import { StringDecoder } from "node:string_decoder";
import { spawn, type IPty } from "@lydell/node-pty";
import type { TerminalFrame, TerminalSize } from "@baton/core/terminal/command-terminal-frame";
import { foldLines, stripSequences } from "../commands/terminal-to-text.ts";
import { Emulator } from "./emulator.ts";
import type { QuietWait, TerminalEnd, TerminalProgram, TerminalScreen } from "./terminal-host-messages.ts";
import { createDrawRateLimiter } from "./draw-rate-limiter.ts";

/** The shortest time between two frames of a viewer. */
const FRAME_MS = 30;
const TEXT_MS = 100;
/** The newest text that is kept until it is sent. */
const MAX_TEXT = 32 * 1024;
/** How long a program may say nothing at its start before a look stops waiting for its first output. */
const FIRST_OUTPUT_MS = 3_000;
/** How often a look that waits for silence checks it. */
const LOOK_MS = 50;
/** How long the rest of the output may take after the end of a program. */
const REST_MS = 500;
/** The names of the signals that end programs. */
const SIGNALS: Readonly<Record<number, NodeJS.Signals>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  6: "SIGABRT",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

type TerminalListener = { onText: (text: string) => void; onEnd: (end: TerminalEnd) => void };

/** All terminals share one pace, so that the screens of many floods do not keep a whole core busy. */
const pace = createDrawRateLimiter();

/** The viewer that gets the last screen. */
const LAST = "last";

/** A defect ends the host, and with it all terminals. The daemon reports their end. */
const fail = (error: unknown): void => {
  process.nextTick(() => {
    throw error;
  });
};

/** A program in a terminal, with the emulator that draws its screen. */
export class HostedTerminal {
  readonly #pty: IPty;
  readonly #emulator: Emulator;
  readonly #viewers = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #drawn: Promise<void> = Promise.resolve();
  #outputs = 0;
  #lastAt = performance.now();
  #text = "";
  #textTimer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor({ file, args, cwd, env }: TerminalProgram, size: TerminalSize, { onText, onEnd }: TerminalListener) {
    this.#emulator = new Emulator(size, (data) => this.write(data));
    this.#pty = spawn(file, [...args], {
      name: env["TERM"] ?? "xterm-256color",
      cols: size.columns,
      rows: size.rows,
      cwd,
      env,
      encoding: null,
    });
    const decoder = new StringDecoder("utf8");
    const fold = foldLines((text) => this.#say(text, onText));
    const strip = stripSequences((text) => fold.push(text));
    const draw = async (bytes: Buffer): Promise<void> => {
      await this.#emulator.write(bytes);
      this.#outputs++;
      this.#lastAt = performance.now();
      strip.push(decoder.write(bytes));
      this.#wake();
    };
    const read = async (bytes: Buffer): Promise<void> => {
      this.#pty.pause();
      this.#drawn = draw(bytes);
      await this.#drawn;
      await pace(bytes.length);
      this.#pty.resume();
    };
    const end = async (exitCode: number, signal: number): Promise<void> => {
      await this.#finish();
      strip.push(decoder.end());
      fold.end();
      if (this.#text !== "") onText(this.#takeText());
      const screen = this.#emulator.look();
      const frame = this.#emulator.frame(LAST) as TerminalFrame; // the first frame of a viewer is never empty
      const how = signal === 0 ? { exitCode, signal: null } : { exitCode: null, signal: SIGNALS[signal] ?? "SIGKILL" };
      onEnd({ ...how, screen, frame });
      this.#ended = true;
      this.#wake();
      this.#emulator.close();
    };
    this.#pty.onData((data) => void read(data as unknown as Buffer).catch(fail)); // without an encoding node-pty passes bytes
    this.#pty.onExit(({ exitCode, signal = 0 }) => void end(exitCode, signal).catch(fail));
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
  async look({ quietMs, mostMs }: QuietWait): Promise<TerminalScreen> {
    const began = performance.now();
    const firstOutput = this.#outputs;
    for (;;) {
      const now = performance.now();
      const left = began + mostMs - now;
      const isSilent = this.#outputs === firstOutput;
      const quietFrom = isSilent ? began : Math.max(began, this.#lastAt);
      const quiet = quietFrom + (this.#outputs === 0 ? Math.max(quietMs, FIRST_OUTPUT_MS) : quietMs) - now;
      if (left <= 0 || quiet <= 0) return this.#emulator.look();
      await new Promise((next) => setTimeout(next, Math.min(left, quiet, LOOK_MS)));
      if (this.#ended) throw new Error("the terminal has ended");
    }
  }

  /** The next frame of a viewer. Waits until something has changed. */
  async frame(viewer: string): Promise<TerminalFrame> {
    this.#viewers.add(viewer);
    await new Promise((next) => setTimeout(next, FRAME_MS));
    for (;;) {
      if (this.#ended || !this.#viewers.has(viewer)) throw new Error("the terminal has ended");
      const frame = this.#emulator.frame(viewer);
      if (frame) return frame;
      await new Promise<void>((next) => this.#waiting.add(next));
    }
  }

  leave(viewer: string): void {
    this.#viewers.delete(viewer);
    this.#emulator.forget(viewer);
    this.#wake();
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

  #say(text: string, onText: (text: string) => void): void {
    this.#text = (this.#text + text).slice(-MAX_TEXT);
    this.#textTimer ??= setTimeout(() => onText(this.#takeText()), TEXT_MS);
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
