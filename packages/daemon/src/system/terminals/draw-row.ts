import type { IBufferCell, IBufferLine } from "@xterm/headless";

/** A row with its colors as escape sequences, without spaces at its end. */
export function drawRow(line: IBufferLine, columns: number, cell: IBufferCell): string {
  const end = drawnColumns(line, columns, cell);
  let drawn = "";
  let style = "";
  for (let column = 0; column < end; column++) {
    const at = line.getCell(column, cell);
    if (!at || at.getWidth() === 0) continue; // the second half of a wide character
    const next = styleOf(at);
    if (next !== style) drawn += `\u001b[0${next}m`;
    style = next;
    drawn += printable(at.getChars()) || " ";
  }
  return style === "" ? drawn : `${drawn}\u001b[0m`;
}

/** A row as text, without spaces at its end. */
export const rowText = (line: IBufferLine): string => printable(line.translateToString(true));

/** Characters that change the direction of text, or that a terminal would execute. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const printable = (text: string): string => text.replace(UNSAFE, "");

function drawnColumns(line: IBufferLine, columns: number, cell: IBufferCell): number {
  for (let column = Math.min(columns, line.length) - 1; column >= 0; column--) {
    const at = line.getCell(column, cell);
    if (at && at.getWidth() > 0 && (printable(at.getChars()).trim() !== "" || styleOf(at) !== "")) return column + 1;
  }
  return 0;
}

/** The parameters of the sequence that selects the colors of a cell, each behind a semicolon. */
function styleOf(cell: IBufferCell): string {
  const flags: [number, number][] = [
    [cell.isBold(), 1],
    [cell.isDim(), 2],
    [cell.isItalic(), 3],
    [cell.isUnderline(), 4],
    [cell.isBlink(), 5],
    [cell.isInverse(), 7],
    [cell.isInvisible(), 8],
    [cell.isStrikethrough(), 9],
  ];
  const set = flags.map(([isSet, code]) => (isSet === 0 ? "" : `;${code}`)).join("");
  return set + foreground(cell) + background(cell);
}

const foreground = (cell: IBufferCell): string =>
  cell.isFgPalette() ? `;38;5;${cell.getFgColor()}` : cell.isFgRGB() ? `;38;2;${channels(cell.getFgColor())}` : "";

const background = (cell: IBufferCell): string =>
  cell.isBgPalette() ? `;48;5;${cell.getBgColor()}` : cell.isBgRGB() ? `;48;2;${channels(cell.getBgColor())}` : "";

const channels = (color: number): string => [color >> 16, color >> 8, color].map((part) => part & 255).join(";");
