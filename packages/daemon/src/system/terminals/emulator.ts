import xterm, { type IBuffer, type IMarker, type Terminal } from "@xterm/headless";
import type { TerminalFrame, TerminalSize } from "@baton/core/terminal/command-terminal-frame";
import { drawRow, rowText } from "./draw-row.ts";
import type { TerminalScreen } from "./terminal-host-messages.ts";

/** Lines that are kept above the screen. */
const SCROLLBACK = 1_000;
/** Lines above the screen that one look or one frame has at most. */
const MAX_ABOVE = 300;
/** Characters of these lines that one look has at most. */
const MAX_ABOVE_CHARACTERS = 16_000;

/** The rows that a viewer has received. `top` marks the first line of the screen at that time. */
type Seen = { size: string; lines: string[]; top: IMarker | undefined; state: string };

/**
 * The screen that a program draws, as a terminal would show it. It answers the questions of programs about the terminal. Everything else
 * that a program asks of a terminal, such as the clipboard, the title, or another window, has no effect.
 */
export class Emulator {
  readonly #terminal: Terminal;
  readonly #seen = new Map<string, Seen>();
  #looked: IMarker | undefined;
  #isCursorVisible = true;

  /** `reply` gets the answers to questions of the program. */
  constructor({ columns, rows }: TerminalSize, reply: (data: string) => void) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: SCROLLBACK, allowProposedApi: true, logLevel: "off" });
    this.#terminal.onData(reply);
    const cursor = (visible: boolean) => (parameters: (number | number[])[]) => {
      if (parameters.includes(25)) this.#isCursorVisible = visible;
      return false;
    };
    this.#terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, cursor(true));
    this.#terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, cursor(false));
    this.#looked = this.#terminal.registerMarker();
  }

  get size(): TerminalSize {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** Resolves when the bytes are drawn. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((drawn) => this.#terminal.write(bytes, drawn));
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#terminal.resize(columns, rows);
  }

  /** The screen, and what has left it since the last look. */
  look(): TerminalScreen {
    const { active, normal } = this.#terminal.buffer;
    const fullScreen = active.type === "alternate";
    const first = this.#looked && this.#looked.line >= 0 ? this.#looked.line : 0;
    const from = Math.max(first, normal.baseY - MAX_ABOVE);
    const above = fullScreen ? [] : textOf(normal, from, normal.baseY);
    let omitted = fullScreen ? 0 : from - first;
    while (above.length > 0 && above.join("\n").length > MAX_ABOVE_CHARACTERS)
      omitted += above.splice(0, Math.ceil(above.length / 4)).length;
    if (!fullScreen) {
      this.#looked?.dispose();
      this.#looked = this.#terminal.registerMarker();
    }
    return {
      ...this.size,
      text: textOf(active, active.baseY, active.baseY + this.#terminal.rows)
        .join("\n")
        .trimEnd(),
      above: above.join("\n"),
      omitted,
      cursor: { row: active.cursorY + 1, column: active.cursorX + 1 },
      fullScreen,
    };
  }

  /** The changes for a viewer since its last frame. Undefined if nothing has. */
  frame(viewer: string): TerminalFrame | undefined {
    const { active, normal } = this.#terminal.buffer;
    const { columns, rows } = this.size;
    const cell = active.getNullCell();
    const draw = (buffer: IBuffer, from: number, to: number): string[] =>
      Array.from({ length: Math.max(0, to - from) }, (_, i) => {
        const line = buffer.getLine(from + i);
        return line ? drawRow(line, columns, cell) : "";
      });
    const lines = draw(active, active.baseY, active.baseY + rows);
    const alternate = active.type === "alternate";
    const cursor = { row: active.cursorY, column: Math.min(active.cursorX, columns - 1), visible: this.#isCursorVisible };
    const { applicationCursorKeysMode, bracketedPasteMode } = this.#terminal.modes;
    const keys = { applicationCursor: applicationCursorKeysMode, bracketedPaste: bracketedPasteMode };
    const state = JSON.stringify([cursor, keys]);
    const size = `${columns} ${rows}`;
    const before = this.#seen.get(viewer);
    const start = before?.top?.line ?? -1; // -1: the line is gone
    const isKnown = before?.size === size && (alternate || start >= 0);
    const scrolled = alternate ? [] : draw(normal, Math.max(isKnown ? start : 0, normal.baseY - MAX_ABOVE), normal.baseY);
    if (!alternate) before?.top?.dispose();
    const top = alternate ? before?.top : this.#terminal.registerMarker(-active.cursorY);
    this.#seen.set(viewer, { size, lines, top, state });
    if (!before || !isKnown) return { columns, rows, whole: true, scrolled, lines: lines.map((text, row) => [row, text]), cursor, keys };
    const changed = lines.flatMap((text, row): [number, string][] =>
      scrolled.length > 0 || text !== before.lines[row] ? [[row, text]] : [],
    );
    if (changed.length === 0 && state === before.state) return undefined;
    return { columns, rows, whole: false, scrolled, lines: changed, cursor, keys };
  }

  forget(viewer: string): void {
    this.#seen.get(viewer)?.top?.dispose();
    this.#seen.delete(viewer);
  }

  close(): void {
    this.#terminal.dispose();
  }
}

const textOf = (buffer: IBuffer, from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    const line = buffer.getLine(from + i);
    return line ? rowText(line) : "";
  });
