import type { Position, TextEdit } from "vscode-languageserver-protocol";

/** Applies the edits of a language server. Undefined if two of them overlap or one is outside of the text. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  const lines = lineRanges(text);
  const places = edits.map(({ range, newText }) => ({ start: offsetOf(lines, range.start), end: offsetOf(lines, range.end), newText }));
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, newText } of places.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0) || (a.end ?? 0) - (b.end ?? 0))) {
    if (start === undefined || end === undefined || start < at || end < start) return undefined;
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

type LineRange = { start: number; end: number };

/** The lines of a text without their ends. The protocol also ends a line at a carriage return. */
function lineRanges(text: string): LineRange[] {
  const lines: LineRange[] = [];
  let start = 0;
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: index });
    start = index + lineEnd.length;
  }
  return [...lines, { start, end: text.length }];
}

/** A character beyond the end of its line means the end of the line, and the line after the last one means the end of the text. */
function offsetOf(lines: readonly LineRange[], { line, character }: Position): number | undefined {
  const range = lines[line];
  if (range) return Math.min(range.start + character, range.end);
  return line === lines.length ? lines.at(-1)?.end : undefined;
}
