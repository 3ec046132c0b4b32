import type { KeyBindings } from "@baton/core/terminal/key-bindings";
import type { CallEntry } from "@baton/core/session/transcript/entry";
import type { SessionView } from "@baton/core/client/session-view";
import type { AnsiStyle } from "../../render/ansi-style.ts";
import type { TerminalStyle } from "../../render/layout.ts";
import type { AnswerNote } from "../../render/transcript/call.ts";
import type { LiveLines, Screen } from "./screen.ts";
import { Scrollback, type PrintedEntry } from "./scrollback.ts";

const FRAME_MS = 16;

type DisplayOptions = {
  screen: Screen;
  ansi: AnsiStyle;
  home: string;
  keys: KeyBindings;
  view: () => SessionView | undefined;
  answerTo: (call: CallEntry) => AnswerNote | undefined;
  /** The lines below the scrollback; `live` are those of entries that still change. */
  footer: (live: readonly string[], style: TerminalStyle, rows: number) => LiveLines;
};

/** Prints final lines into the scrollback, and redraws the footer at most once a frame. */
export class TerminalRenderer {
  readonly #options: DisplayOptions;
  #scrollback = new Scrollback();
  /** Lines for the next frame. */
  #pending: string[] = [];
  #frame: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  style(): TerminalStyle {
    const { screen, ansi, home, keys } = this.#options;
    return { columns: screen.columns(), ansi, now: Date.now(), home, keys };
  }

  rows(): number {
    return this.#options.screen.rows();
  }

  /** Writes a sequence that moves nothing. */
  write(sequence: string): void {
    this.#options.screen.write(sequence);
  }

  /** Lets another program use the terminal while `work` runs. */
  release<T>(work: () => T): T {
    return this.#options.screen.release(work);
  }

  /** Prints lines of the client itself, after the entries that have become final. */
  print(lines: readonly string[]): void {
    this.#printFinalEntries();
    this.#pending.push(...this.#scrollback.other(lines));
    this.draw();
  }

  /** Prints all of a call. */
  expand(call: CallEntry): void {
    this.#printFinalEntries();
    this.#pending.push(...this.#scrollback.expand(call, this.style(), this.#options.answerTo(call)));
    this.draw();
  }

  /** Prints the entries of the next session, or of a session that was replaced, from its first one. `lines` come before them. */
  startOver(lines: readonly string[] = []): void {
    this.#scrollback = new Scrollback();
    if (lines.length > 0) this.#pending.push(...this.#scrollback.other(lines));
  }

  /** Shows the newest state in the next frame. */
  draw(): void {
    this.#frame ??= setTimeout(() => this.#drawNow(), FRAME_MS);
  }

  /** Draws a last time. */
  close(): void {
    this.#drawNow();
    this.#closed = true;
    clearTimeout(this.#frame);
  }

  #drawNow(): void {
    this.#frame = undefined;
    if (this.#closed) return;
    const style = this.style();
    const { lines, live } = this.#take(style);
    const printed = [...this.#pending, ...lines];
    this.#pending = [];
    this.#options.screen.draw(printed, this.#options.footer(live, style, this.rows()));
  }

  #printFinalEntries(): void {
    this.#pending.push(...this.#take(this.style()).lines);
  }

  #take(style: TerminalStyle): PrintedEntry {
    const view = this.#options.view();
    if (!view) return { lines: [], live: [] };
    return this.#scrollback.take(view.transcript, view.streams, style, this.#options.answerTo, view.state.held);
  }
}
