import type { Hunk } from "@baton/core/protocol/tool-view";

/** Where a hunk is in the new file: the first changed line from 0, and the number of lines up to the last changed one. */
export type HunkPosition = { line: number; count: number; added: readonly LineRun[]; removed: readonly RemovedLines[] };
/** Lines that were added: the first from 0, and the number. */
export type LineRun = { line: number; count: number };
/** Lines that were removed before this line. */
export type RemovedLines = { line: number; lines: readonly string[] };

/** Undefined if the lines of the document are not those of the hunk, because the file has changed since. */
export function locateHunk({ newStart, lines }: Hunk, lineAt: (line: number) => string | undefined): HunkPosition | undefined {
  const added: { line: number; count: number }[] = [];
  const removed: { line: number; lines: string[] }[] = [];
  let at = newStart - 1;
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith("-")) {
      const last = removed.at(-1);
      if (last?.line === at) last.lines.push(text);
      else removed.push({ line: at, lines: [text] });
      continue;
    }
    if (withoutReturn(lineAt(at)) !== withoutReturn(text)) return undefined;
    if (line.startsWith("+")) {
      const last = added.at(-1);
      if (last && last.line + last.count === at) last.count++;
      else added.push({ line: at, count: 1 });
    }
    at++;
  }
  const first = Math.min(added[0]?.line ?? Infinity, removed[0]?.line ?? Infinity);
  if (!Number.isFinite(first)) return undefined;
  const end = Math.max(first, removed.at(-1)?.line ?? 0, ...added.slice(-1).map(({ line, count }) => line + count));
  return { line: first, count: end - first, added, removed };
}

/** The numbers of changed lines. */
export const countChangedLines = ({ added, removed }: HunkPosition): { added: number; removed: number } => ({
  added: added.reduce((sum, { count }) => sum + count, 0),
  removed: removed.reduce((sum, { lines }) => sum + lines.length, 0),
});

/** Editors give lines without their ends; a hunk of a file with mixed ends keeps its returns. */
const withoutReturn = (text: string | undefined): string | undefined => text?.replace(/\r$/, "");

/** Identifies what a hunk changes. It stays the same when other hunks move the lines. */
export const hunkKey = (path: string, { lines }: Hunk): string => `${path}\n${lines.join("\n")}`;
