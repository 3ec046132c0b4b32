import type { Hunk } from "@baton/core/protocol/tool-view";

/** A line of a hunk. `oldNumber` is its number in the old file. `from` and `to` delimit the part that differs from its counterpart, in UTF-16 units. */
export type DiffRow = { sign: " " | "+" | "-"; number: number; oldNumber: number; text: string; from: number; to: number };
/** Two lines side by side; undefined if a side has none. */
export type Pair = { left: DiffRow | undefined; right: DiffRow | undefined };

/** The rows of a hunk, with changed words. Removed lines count in the old file, other lines in the new one. */
export function diffRows({ oldStart, newStart, lines }: Hunk): DiffRow[] {
  let [before, after] = [oldStart, newStart];
  const rows = lines.map((line): DiffRow => {
    const first = line.charAt(0);
    const sign = first === "+" || first === "-" ? first : " ";
    const row: DiffRow = { sign, number: sign === "-" ? before : after, oldNumber: before, text: line.slice(1), from: 0, to: 0 };
    if (sign !== "+") before++;
    if (sign !== "-") after++;
    return row;
  });
  for (const { left, right } of pairs(rows)) if (left && right && left.sign === "-" && right.sign === "+") markWords(left, right);
  return rows;
}

/** Pairs removed lines with the added lines that follow them. */
export function pairs(rows: readonly DiffRow[]): Pair[] {
  const found: Pair[] = [];
  for (let i = 0; i < rows.length;) {
    const removed = taken(rows, i, "-");
    const added = taken(rows, i + removed.length, "+");
    if (removed.length + added.length === 0) {
      found.push({ left: rows[i], right: rows[i] });
      i++;
      continue;
    }
    for (let n = 0; n < Math.max(removed.length, added.length); n++) found.push({ left: removed[n], right: added[n] });
    i += removed.length + added.length;
  }
  return found;
}

function taken(rows: readonly DiffRow[], from: number, sign: DiffRow["sign"]): DiffRow[] {
  let end = from;
  while (rows[end]?.sign === sign) end++;
  return rows.slice(from, end);
}

/** Splits long replacements into parts, so that added lines are near the lines that they replace. */
export function interleave(rows: readonly DiffRow[], size: number): DiffRow[] {
  const found: DiffRow[] = [];
  for (let i = 0; i < rows.length;) {
    const removed = taken(rows, i, "-");
    const added = taken(rows, i + removed.length, "+");
    const change = removed.length + added.length;
    if (change === 0) found.push(...rows.slice(i, i + 1));
    for (let from = 0; from < Math.max(removed.length, added.length); from += size)
      found.push(...removed.slice(from, from + size), ...added.slice(from, from + size));
    i += Math.max(change, 1);
  }
  return found;
}

/**
 * The first rows of all hunks. A replacement shows as many removed as added lines, so that it does not look like a removal.
 */
export function firstRows(hunks: readonly (readonly DiffRow[])[], most: number): DiffRow[][] {
  const visible: DiffRow[][] = [];
  let left = most;
  for (const rows of hunks) {
    const first: DiffRow[] = [];
    for (let i = 0; i < rows.length && left > 0;) {
      const removed = taken(rows, i, "-");
      const added = taken(rows, i + removed.length, "+");
      const fewest = Math.min(removed.length, Math.max(left - added.length, Math.ceil(left / 2)));
      const block = [...removed.slice(0, fewest), ...added.slice(0, left - fewest)];
      const change = removed.length + added.length;
      first.push(...(change === 0 ? rows.slice(i, i + 1) : block));
      left -= Math.max(block.length, 1);
      i += Math.max(change, 1);
    }
    if (first.length > 0) visible.push(first);
  }
  return visible;
}

const LONGEST = 1_000;

/**
 * Marks what differs between two lines: the part between their common start and end. Lines with nothing in common get no
 * mark.
 */
function markWords(left: DiffRow, right: DiffRow): void {
  if (left.text.length > LONGEST || right.text.length > LONGEST) return;
  const [a, b] = [splitWords(left.text), splitWords(right.text)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const from = a.slice(0, start).join("").length;
  const tail = a.slice(a.length - end).join("").length;
  if (a.slice(0, start).join("").trim() === "" && tail === 0) return;
  left.from = from;
  left.to = left.text.length - tail;
  right.from = from;
  right.to = right.text.length - tail;
}

const splitWords = (text: string): string[] => text.match(/\w+|\s+|[^\w\s]/gu) ?? [];
