import type { EditMatcher } from "./edit-types.ts";
import { findLines, searchedLines } from "./find-lines.ts";
import { usualLineEnd } from "./line-end.ts";
import { lineChanges } from "./line-changes.ts";
import { withoutIndentation } from "./line-comparisons.ts";

/** Finds whole lines whose indentation differs in the same way, and shifts the new lines to the file's indentation. */
export const findIndented: EditMatcher = (file, { old, now }) => {
  const endsLine = old.endsWith("\n");
  if (endsLine !== now.endsWith("\n") && now !== "") return [];
  const changes = lineChanges(linesIn(old), now === "" ? [] : linesIn(now));
  const lines = file.split("\n");
  const starts = offsetsOfLines(lines);
  const lineEnd = usualLineEnd(file);
  const matches = findLines(searchedLines(lines.map((line) => line.replace(/\r$/, ""))), changes, withoutIndentation);
  return matches.map(({ at, count, lines: after }) => {
    const [start, end] = [starts[at] ?? 0, (starts[at + count] ?? file.length + 1) - 1];
    const isReturn = file[end - 1] === "\r" ? 1 : 0;
    const deletes = after.length === 0 && endsLine;
    return { start, end: deletes ? Math.min(end + 1, file.length) : end - isReturn, text: after.map(({ text }) => text).join(lineEnd) };
  });
};

/** The lines of a text, without an empty one after the last line end. */
const linesIn = (text: string): string[] => text.replace(/\r?\n$/, "").split(/\r?\n/);

function offsetsOfLines(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map(({ length }) => (at += length + 1) - length - 1);
}
