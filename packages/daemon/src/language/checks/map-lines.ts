import { diffArrays } from "diff";

/** Longer changes are not compared line by line. */
const MAX_LINES = 4_000;
const MAX_MS = 100;

/** A function from a line of the old text to the same line of the new text. Undefined if that line was changed or removed. Lines count from 1. */
export function mapLines(before: string, after: string): (line: number) => number | undefined {
  const old = before.split(/\r?\n/);
  const now = after.split(/\r?\n/);
  const { start, end } = equalEnds(old, now);
  const shift = now.length - old.length;
  const within = new Map(matchedLines(old.slice(start, old.length - end), now.slice(start, now.length - end)));
  return (line) => {
    if (line <= start) return line;
    if (line > old.length - end) return line + shift;
    const found = within.get(line - start);
    return found === undefined ? undefined : found + start;
  };
}

/** The number of equal lines at the start and at the end of two texts. */
export function equalEnds(old: readonly string[], now: readonly string[]): { start: number; end: number } {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { start, end };
}

function* matchedLines(old: string[], now: string[]): Generator<[number, number]> {
  if (old.length + now.length > MAX_LINES) return;
  const parts = diffArrays(old, now, { timeout: MAX_MS });
  let [from, to] = [1, 1];
  for (const { value, added, removed } of parts ?? []) {
    if (!added && !removed) for (let i = 0; i < value.length; i++) yield [from + i, to + i];
    if (!added) from += value.length;
    if (!removed) to += value.length;
  }
}
