import type { DiffView, Hunk } from "@baton/core/protocol/tool-view";

type Change = { before: string; after: string; hunk: Hunk; lineEnds: DiffView["lineEnds"] };

/**
 * The text `after` with the old lines in the place of one hunk. Whole lines are copied, because hunks leave out line ends. Old lines get
 * the line ends of `after`.
 */
export function revertHunk({ before, after, hunk: { oldStart, newStart, lines }, lineEnds }: Change): string {
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
  const old = linesOf(before).slice(oldStart - 1, oldStart - 1 + count("+"));
  const now = linesOf(after);
  const restored = lineEnds?.from === undefined ? old : old.map((line) => withEnd(line, lineEnds.to));
  return [...now.slice(0, newStart - 1), ...restored, ...now.slice(newStart - 1 + count("-"))].join("");
}

/** The lines with their ends. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function withEnd(line: string, to: NonNullable<DiffView["lineEnds"]>["to"]): string {
  if (to === "mixed" || !line.endsWith("\n")) return line;
  return line.replace(/\r?\n$/, to === "CRLF" ? "\r\n" : "\n");
}
