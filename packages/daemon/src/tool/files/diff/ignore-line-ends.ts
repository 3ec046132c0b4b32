import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { DiffView, LineEnds } from "@baton/core/protocol/tool-view";

/** Two texts to compare, and the change of their line ends if it matters. */
type Comparable = { before: string; after: string; lineEnds?: NonNullable<DiffView["lineEnds"]> };

/**
 * Ignores line ends, which users do not compare line by line. A file with mixed line ends is compared as it is. `before` is undefined for a
 * new file.
 */
export function withUnifiedLineEnds(before: string | undefined, after: string): Comparable {
  const from = endsOf(before ?? "");
  const to = endsOf(after);
  if (from === "mixed" || (from === undefined && to === "mixed")) return { before: before ?? "", after };
  const lineEnds = changeOf(before === undefined, from, to);
  return { before: plain(before ?? ""), after: plain(after), ...omitUndefined({ lineEnds }) };
}

function changeOf(isNew: boolean, from: LineEnds | undefined, to: LineEnds | undefined): Comparable["lineEnds"] {
  if (isNew) return to === "CRLF" ? { to } : undefined;
  return from && to && from !== to ? { from, to } : undefined;
}

/** The line ends of a text. Undefined for a text of one line. */
function endsOf(text: string): LineEnds | undefined {
  const withReturn = text.includes("\r\n");
  const without = /(?<!\r)\n/.test(text);
  if (withReturn && without) return "mixed";
  if (withReturn) return "CRLF";
  return without ? "LF" : undefined;
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n");
