import type { DiffView, LineEnds } from "@baton/core/protocol/view";

/** Two texts as they are to be compared, and what becomes of the ends of their lines where that is worth a word. */
export type Comparable = { before: string; after: string; lineEnds?: NonNullable<DiffView["lineEnds"]> };

/**
 * Leaves out how lines end, which nobody reads line by line. Where a file has both ends already it stays as it is: there
 * the end of each line is part of what changes. `before` is undefined for a file that is new.
 */
export function comparable(before: string | undefined, after: string): Comparable {
  const [from, to] = [endsOf(before ?? ""), endsOf(after)];
  if (from === "mixed" || (from === undefined && to === "mixed")) return { before: before ?? "", after };
  const lineEnds = changeOf(before === undefined, from, to);
  return { before: plain(before ?? ""), after: plain(after), ...(lineEnds ? { lineEnds } : {}) };
}

function changeOf(isNew: boolean, from: LineEnds | undefined, to: LineEnds | undefined): Comparable["lineEnds"] {
  if (isNew) return to === "CRLF" ? { to } : undefined;
  return from && to && from !== to ? { from, to } : undefined;
}

/** Undefined for a text of one line. */
function endsOf(text: string): LineEnds | undefined {
  const withReturn = text.includes("\r\n");
  const without = /(?<!\r)\n/.test(text);
  if (withReturn && without) return "mixed";
  return withReturn ? "CRLF" : without ? "LF" : undefined;
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n");
