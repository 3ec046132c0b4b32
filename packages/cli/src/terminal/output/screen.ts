import { width } from "../../render/layout.ts";

/** The last lines of the terminal, which are drawn anew at every change, and where the cursor stands in them. */
export type LiveLines = { lines: readonly string[]; row: number; column: number };

/**
 * A terminal whose scrollback is kept: what is printed once stays and belongs to the person, only the lines at the end
 * are drawn again.
 */
export type Screen = {
  columns: () => number;
  rows: () => number;
  draw: (printed: readonly string[], live: LiveLines) => void;
  clear: () => void;
  close: () => void;
};

const ESC = "\u001b[";
const [BEGIN, END] = [`${ESC}?2026h`, `${ESC}?2026l`];
/** Bracketed paste; Shift+Enter and its like, for terminals that tell them apart. */
const ENTER = `${ESC}?2004h${ESC}>1u${ESC}>4;1m`;
const LEAVE = `${ESC}<u${ESC}>4m${ESC}?2004l${ESC}?25h`;

export function openScreen(output: NodeJS.WriteStream, input: NodeJS.ReadStream): Screen {
  let drawn: LiveLines = { lines: [], row: 0, column: 0 };
  let closed = false;
  input.setRawMode(true);
  output.write(ENTER);

  /** Back to the first of the drawn lines. A terminal that became narrower has broken them, so rows are counted anew. */
  const toStart = () => {
    const above =
      drawn.lines.slice(0, drawn.row).reduce((sum, line) => sum + rowsTaken(line, output.columns), 0) +
      Math.floor(drawn.column / Math.max(1, output.columns));
    return `\r${above > 0 ? `${ESC}${above}A` : ""}${ESC}J`;
  };
  const restore = () => {
    if (closed) return;
    closed = true;
    output.write(`${toStart()}${LEAVE}`);
    input.setRawMode(false);
  };
  const crashed = () => restore();
  process.on("exit", crashed);

  return {
    columns: () => output.columns,
    rows: () => output.rows,
    draw: (printed, live) => {
      if (closed) return;
      const kept = fitting(live, output.rows);
      const text = printed.map((line) => `${line}\r\n`).join("");
      const back = kept.lines.length - 1 - kept.row;
      output.write(
        `${BEGIN}${toStart()}${text}${kept.lines.join("\r\n")}${back > 0 ? `${ESC}${back}A` : ""}\r${kept.column > 0 ? `${ESC}${kept.column}C` : ""}${END}`,
      );
      drawn = kept;
    },
    clear: () => void output.write(`${ESC}2J${ESC}H`),
    close: () => {
      process.off("exit", crashed);
      restore();
    },
  };
}

/** Never more than the screen holds: what would be above it could not be drawn again. */
function fitting({ lines, row, column }: LiveLines, rows: number): LiveLines {
  const over = Math.max(0, lines.length - Math.max(3, rows - 1));
  return over === 0 ? { lines, row, column } : { lines: lines.slice(over), row: Math.max(0, row - over), column };
}

const rowsTaken = (line: string, columns: number): number => Math.max(1, Math.ceil(width(line) / Math.max(1, columns)));
