/** The size of a terminal in cells. */
export type TerminalSize = { columns: number; rows: number };

/**
 * A change of the screen of a command's terminal. Lines hold only printable characters and colors, so a client can write them to any
 * terminal: a program reaches a client only through what it draws.
 */
export type TerminalFrame = TerminalSize & {
  /** The frame holds the whole screen, and a client forgets what it drew before. */
  whole: boolean;
  /** Lines that have left the screen at the top since the last frame. If there are any, `lines` holds the whole screen. */
  scrolled: readonly string[];
  /** The rows that have changed, from 0. */
  lines: readonly (readonly [row: number, text: string])[];
  cursor: { row: number; column: number; visible: boolean };
  /** The form in which the program expects the keys of the user. */
  keys: { applicationCursor: boolean; bracketedPaste: boolean };
};

/** The output that draws a frame on a terminal that has at least `rows` rows. `scrollback`: lines that leave the screen are kept above it. */
export function drawFrame(
  { whole, scrolled, lines, cursor, keys, rows: all }: TerminalFrame,
  { rows, scrollback }: { rows: number; scrollback: boolean },
): string {
  const shown = lines.filter(([row]) => row < rows);
  const clear = whole ? `${RESET}${ESC}[H${ESC}[2J${scrollback ? `${ESC}[3J` : ""}` : "";
  const scrolls = scrollback && scrolled.length > 0 && rows >= all;
  const painted = scrolls
    ? `${ESC}[H${[...scrolled, ...shown.map(([, text]) => text)].map((text) => `${RESET}${ESC}[2K${text}`).join("\r\n")}`
    : shown.map(([row, text]) => `${ESC}[${row + 1};1H${RESET}${ESC}[2K${text}`).join("");
  return [
    `${ESC}[?25l${ESC}[?7l`,
    clear,
    painted,
    RESET,
    `${ESC}[?1${keys.applicationCursor ? "h" : "l"}`,
    `${ESC}[?2004${keys.bracketedPaste ? "h" : "l"}`,
    `${ESC}[${Math.min(cursor.row, rows - 1) + 1};${cursor.column + 1}H`,
    cursor.visible ? `${ESC}[?25h` : "",
  ].join("");
}

/** Puts a terminal back into the state that other programs expect. */
export const RESTORE_TERMINAL = "\u001b[0m\u001b[?1l\u001b[?2004l\u001b[?7h\u001b[?25h";

const ESC = "\u001b";
const RESET = `${ESC}[0m`;
