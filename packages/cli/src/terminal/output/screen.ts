import { displayWidth } from "../../render/layout.ts";

/** The redrawn lines at the end of the terminal, and the position of the cursor. Without `shape` the cursor keeps its shape. */
export type LiveLines = { lines: readonly string[]; row: number; column: number; shape?: CursorShape };

type CursorShape = "bar" | "block";

/** A terminal with its normal scrollback: printed lines stay, and only the last lines are redrawn. */
export type Screen = {
  columns: () => number;
  rows: () => number;
  draw: (printed: readonly string[], live: LiveLines) => void;
  /** Writes a sequence that moves nothing, such as a title or a notification. */
  write: (sequence: string) => void;
  /** Lets another program use the terminal while `work` runs, and then draws again. */
  release: <T>(work: () => T) => T;
  close: () => void;
};

const ESC = "\u001b[";
const [BEGIN, END] = [`${ESC}?2026h`, `${ESC}?2026l`];
/** Turns on bracketed paste, focus reports, and key codes such as Shift+Enter where the terminal supports them. */
const ENTER = `${ESC}?2004h${ESC}?1004h${ESC}>1u${ESC}>4;1m`;
const SHAPES: Record<CursorShape, string> = { bar: `${ESC}6 q`, block: `${ESC}2 q` };
const USUAL_SHAPE = `${ESC}0 q`;
const LEAVE = `${ESC}<u${ESC}>4m${ESC}?1004l${ESC}?2004l${ESC}?25h`;

export function openScreen(output: NodeJS.WriteStream, input: NodeJS.ReadStream): Screen {
  let drawn: LiveLines = { lines: [], row: 0, column: 0 };
  let closed = false;
  input.setRawMode(true);
  output.write(ENTER);

  /** Moves to the first redrawn line. A narrower terminal has wrapped lines, so their rows are counted again. */
  const toStart = () => {
    const rowsAbove =
      drawn.lines.slice(0, drawn.row).reduce((sum, line) => sum + rowsTaken(line, output.columns), 0) +
      Math.floor(drawn.column / Math.max(1, output.columns));
    return `\r${rowsAbove > 0 ? `${ESC}${rowsAbove}A` : ""}${ESC}J`;
  };
  const usualShape = () => (drawn.shape === undefined ? "" : USUAL_SHAPE);
  const restore = () => {
    if (closed) return;
    closed = true;
    output.write(`${toStart()}${usualShape()}${LEAVE}`);
    input.setRawMode(false);
  };
  const crashed = () => restore();
  process.on("exit", crashed);

  return {
    columns: () => output.columns,
    rows: () => output.rows,
    draw: (printed, live) => {
      if (closed) return;
      const visible = fitting(live, output.rows);
      const text = printed.map((line) => `${line}\r\n`).join("");
      const shape = visible.shape !== undefined && visible.shape !== drawn.shape ? SHAPES[visible.shape] : "";
      const back = visible.lines.length - 1 - visible.row;
      output.write(
        `${BEGIN}${toStart()}${text}${visible.lines.join("\r\n")}${back > 0 ? `${ESC}${back}A` : ""}\r${visible.column > 0 ? `${ESC}${visible.column}C` : ""}${shape}${END}`,
      );
      drawn = visible;
    },
    write: (sequence) => {
      if (!closed) output.write(sequence);
    },
    release: (work) => {
      output.write(`${toStart()}${usualShape()}${LEAVE}`);
      input.setRawMode(false);
      drawn = { lines: [], row: 0, column: 0 };
      try {
        return work();
      } finally {
        input.setRawMode(true);
        output.write(ENTER);
      }
    },
    close: () => {
      process.off("exit", crashed);
      restore();
    },
  };
}

/** Keeps only the lines that fit the screen, because lines above it cannot be redrawn. */
function fitting(live: LiveLines, rows: number): LiveLines {
  const { lines, row } = live;
  const over = Math.max(0, lines.length - Math.max(3, rows - 1));
  return over === 0 ? live : { ...live, lines: lines.slice(over), row: Math.max(0, row - over) };
}

const rowsTaken = (line: string, columns: number): number => Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns)));
