import type { Hunk } from "@baton/core/protocol/view";

/** Where a hunk is in the new file: the first changed line from 0, and the number of its lines there. `removed` are the old lines. */
export type HunkPlace = { line: number; count: number; removed: readonly string[]; added: readonly string[]; runs: readonly LineRun[] };
/** Lines that were added: the first from 0, and the number. */
export type LineRun = { line: number; count: number };

/** Undefined if the lines of the document are not those of the hunk, because the file has changed since. */
export function placeHunk({ newStart, lines }: Hunk, lineAt: (line: number) => string | undefined): HunkPlace | undefined {
  const runs: { line: number; count: number }[] = [];
  const [removed, added]: [string[], string[]] = [[], []];
  let first: number | undefined;
  let end = newStart - 1;
  let at = newStart - 1;
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith("-")) removed.push(text);
    if (!line.startsWith(" ")) first ??= at;
    if (line.startsWith("-")) {
      end = Math.max(end, at);
      continue;
    }
    if (withoutReturn(lineAt(at)) !== withoutReturn(text)) return undefined;
    if (line.startsWith("+")) {
      added.push(text);
      const last = runs.at(-1);
      if (last && last.line + last.count === at) last.count++;
      else runs.push({ line: at, count: 1 });
      end = at + 1;
    }
    at++;
  }
  if (first === undefined) return undefined;
  return { line: first, count: Math.max(0, end - first), removed, added, runs };
}

/** Editors give lines without their ends; a hunk of a file with mixed ends keeps its returns. */
const withoutReturn = (text: string | undefined): string | undefined => text?.replace(/\r$/, "");

/** Identifies what a hunk changes. It stays the same when other hunks move the lines. */
export const hunkKey = (path: string, { lines }: Hunk): string => `${path}\n${lines.join("\n")}`;
