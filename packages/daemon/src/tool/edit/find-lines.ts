import type { LineChange } from "./line-changes.ts";
import { oldLines } from "./line-changes.ts";
import type { LineComparison } from "./line-comparisons.ts";

/** The position of a change in a file: its first line, counted from 0, the number of lines that it replaces, and the new lines. */
export type LineMatch = { at: number; count: number; lines: MatchedLine[] };

/** A line after a change. `kept`: the line of the file that it is. */
type MatchedLine = { text: string; kept?: number };

/** The lines of a file without their ends. `simple`: the lines in a spelling, computed once. */
export type SearchedLines = { lines: readonly string[]; simple: (spelling: LineComparison) => readonly string[] };

export function searchedLines(lines: readonly string[]): SearchedLines {
  const bySpelling = new Map<LineComparison, readonly string[]>();
  return {
    lines,
    simple: (spelling) => {
      const known = bySpelling.get(spelling) ?? lines.map(spelling.simplify);
      bySpelling.set(spelling, known);
      return known;
    },
  };
}

/** Finds all positions in a file at which the old lines of a change are, in one spelling. */
export function findLines(
  { lines: file, simple: simpleLines }: SearchedLines,
  changes: readonly LineChange[],
  spelling: LineComparison,
): LineMatch[] {
  const old = oldLines(changes);
  if (old.length === 0) return [];
  const wanted = old.map(spelling.simplify);
  const simple = simpleLines(spelling);
  const matches: LineMatch[] = [];
  for (let at = 0; at + wanted.length <= simple.length; at++) {
    if (!wanted.every((line, i) => simple[at + i] === line)) continue;
    const lines = changedLines(changes, at, file, spelling);
    if (lines) matches.push({ at, count: wanted.length, lines });
  }
  return matches;
}

/** The lines after the change. Lines that stay are as the file has them. Undefined if an added line cannot be adapted. */
function changedLines(
  changes: readonly LineChange[],
  start: number,
  file: readonly string[],
  spelling: LineComparison,
): MatchedLine[] | undefined {
  const adapt = spelling.adapt(changes, file.slice(start, start + oldLines(changes).length), file);
  if (!adapt) return undefined;
  const lines: MatchedLine[] = [];
  let at = start;
  for (const { mark, text } of changes) {
    if (mark === "+") {
      const line = adapt(text);
      if (line === undefined) return undefined;
      lines.push({ text: line });
      continue;
    }
    if (mark === " ") lines.push({ text: file[at] ?? "", kept: at });
    at++;
  }
  return lines;
}
