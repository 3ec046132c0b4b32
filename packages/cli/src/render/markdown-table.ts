import { hangingIndent, displayWidth, type TerminalStyle } from "./layout.ts";

/** A table row in Markdown begins and ends with a pipe. */
export const isTableRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);

const splitCells = (row: string): string[] =>
  row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());

const isRule = (cells: readonly string[]): boolean => cells.every((cell) => /^:?-+:?$/.test(cell));

/** Draws a table in columns. If it is too wide, each row becomes a list. */
export function markdownTableLines(
  source: readonly string[],
  draw: (cell: string) => string,
  { ansi }: Pick<TerminalStyle, "ansi">,
  room: number,
): string[] {
  const rows = source.map(splitCells);
  const hasHead = rows[1] !== undefined && isRule(rows[1]);
  const cells = rows.filter((row) => !isRule(row)).map((row) => row.map(draw));
  const [head = []] = cells;
  const widths = head.map((_, i) => Math.max(...cells.map((row) => displayWidth(row[i] ?? ""))));
  const inColumns = (row: readonly string[]) =>
    widths
      .map((columns, i) => `${row[i] ?? ""}${" ".repeat(Math.max(0, columns - displayWidth(row[i] ?? "")))}`)
      .join("  ")
      .trimEnd();
  if (widths.reduce((sum, each) => sum + each + 2, -2) <= room)
    return cells.flatMap((row, i) =>
      i === 0 && hasHead ? [ansi.bold(inColumns(row)), ansi.dim(inColumns(widths.map((n) => "─".repeat(n))))] : [inColumns(row)],
    );
  return (hasHead ? cells.slice(1) : cells).flatMap(([first = "", ...rest]) => [
    ...hangingIndent(ansi.bold(first), "• ", room, { hard: false }),
    ...rest.flatMap((cell, i) =>
      cell === "" ? [] : hangingIndent(`${hasHead ? `${head[i + 1] ?? ""}: ` : ""}${cell}`, "  ", room, { hard: false }),
    ),
  ]);
}
