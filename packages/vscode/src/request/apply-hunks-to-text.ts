import type { Hunk } from "@baton/core/protocol/tool-view";

/** The text after the hunks. Undefined if the hunks do not match the text. */
export const applyHunksToText = (before: string, hunks: readonly Hunk[]): string | undefined =>
  applied(
    before,
    hunks.map(({ oldStart, lines }) => ({ start: oldStart, from: side(lines, "-"), to: side(lines, "+") })),
  );

/** The text before the hunks, computed from the text after them. */
export const revertHunks = (after: string, hunks: readonly Hunk[]): string | undefined =>
  applied(
    after,
    hunks.map(({ newStart, lines }) => ({ start: newStart, from: side(lines, "+"), to: side(lines, "-") })),
  );

/** Both sides of the hunks alone, if the whole text is not available. */
export function hunkSides(hunks: readonly Hunk[]): { before: string; after: string } {
  const of = (sign: "-" | "+") => hunks.map(({ lines }) => side(lines, sign).join("\n")).join("\n⋯\n");
  return { before: of("-"), after: of("+") };
}

type Part = { start: number; from: string[]; to: string[] };

/** Hunks leave out line ends, and so does the result, except in a file with mixed line ends. */
function applied(text: string, parts: readonly Part[]): string | undefined {
  const hasReturns = parts.some(({ from, to }) => [...from, ...to].some((line) => line.endsWith("\r")));
  const lines = (hasReturns ? text : text.replaceAll("\r\n", "\n")).split("\n");
  for (const { start, from, to } of parts.toReversed()) {
    const at = Math.max(0, start - (from.length === 0 ? 0 : 1)); // a hunk that removes nothing comes after its line
    if (from.some((line, i) => lines[at + i] !== line)) return undefined;
    lines.splice(at, from.length, ...to);
  }
  return lines.join("\n");
}

const side = (lines: readonly string[], sign: "-" | "+"): string[] =>
  lines.filter((line) => line.startsWith(" ") || line.startsWith(sign)).map((line) => line.slice(1));
