import type { HighlightToken } from "./highlight.ts";

/** A part of a line with one look. `marked`: it differs from the counterpart of the line. */
type Segment = { text: string; kind: string | undefined; marked: boolean };

/** Splits a line at the borders of its tokens and of its marked part. `tokens` together are the line. */
export function paintLine(text: string, tokens: readonly HighlightToken[] | undefined, from: number, to: number): Segment[] {
  const found: Segment[] = [];
  let at = 0;
  for (const { text: part, kind } of tokens ?? [{ text, kind: undefined }]) {
    const borders = [from, to].map((border) => Math.min(Math.max(border - at, 0), part.length));
    const cuts = [0, ...borders, part.length];
    for (let i = 0; i < 3; i++) {
      const piece = part.slice(cuts[i], cuts[i + 1]);
      if (piece !== "") found.push({ text: piece, kind, marked: i === 1 });
    }
    at += part.length;
  }
  return found;
}

/** Splits tokens of a text into the tokens of its lines. */
export function tokensByLine(tokens: readonly HighlightToken[]): HighlightToken[][] {
  const lines: HighlightToken[][] = [[]];
  for (const { text, kind } of tokens)
    for (const [i, part] of text.split("\n").entries()) {
      if (i > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, kind });
    }
  return lines;
}
