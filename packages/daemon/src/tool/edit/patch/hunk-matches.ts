import { findLines, type LineMatch, type SearchedLines } from "../find-lines.ts";
import { oldLines } from "../line-changes.ts";
import { lineSpellings } from "../line-comparisons.ts";
import { readHunk } from "./hunk-readings.ts";
import type { PatchHunk } from "./patch-types.ts";

/** The matches that a hunk may mean, and what Baton ignored to find them. `segment`: the lines after an anchor, the end excluded. */
export type HunkMatches = { matches: HunkMatch[]; ignored: string[] };
export type HunkMatch = LineMatch & { segment?: Segment };
type Segment = { start: number; end: number };

/** Finds the matches of a hunk in the lines of a file. On failure, `fault` says what does not match. */
export function findHunkMatches(
  searched: SearchedLines,
  hunk: PatchHunk,
): HunkMatches | { fault: "anchor"; anchor: string; after: number } | { fault: "lines" } {
  const { lines: file } = searched;
  const segments = segmentsOf(file, hunk.anchors);
  const isAddition = oldLines(hunk.changes).length === 0;
  if (isAddition) {
    if ("anchor" in segments) return { fault: "anchor", ...segments };
    return { matches: additions(file, hunk, segments), ignored: [] };
  }
  for (const spelling of lineSpellings) {
    for (const { changes, ignored } of readHunk(hunk.changes)) {
      const found = findLines(searched, changes, spelling).filter((match) => !hunk.atEnd || match.at + match.count === file.length);
      const all = [...ignored, ...(spelling.ignored === undefined ? [] : [spelling.ignored])];
      const matches = inSegments(found, segments, hunk);
      if (matches.length > 0)
        return { matches, ignored: "anchor" in segments ? [...all, `the line "${segments.anchor.slice(0, 80)}" after @@`] : all };
    }
  }
  return "anchor" in segments ? { fault: "anchor", ...segments } : { fault: "lines" };
}

/** The matches after the anchors. If an anchor is nowhere in the file, the only match of the lines counts. */
function inSegments(
  found: readonly LineMatch[],
  segments: Segment[] | { anchor: string; after: number },
  { line }: PatchHunk,
): HunkMatch[] {
  const named = found.filter(({ at }) => line !== undefined && at === line - 1);
  if (named.length === 1) return named;
  if ("anchor" in segments) return segments.after === 0 && found.length === 1 ? [...found] : [];
  if (segments.length === 0) return [...found];
  return segments.flatMap((segment) =>
    found.filter(({ at }) => at >= segment.start && at < segment.end).map((match) => ({ ...match, segment })),
  );
}

/** Lines that are only added come after their anchor, or at the end of the file. */
function additions(file: readonly string[], { changes, atEnd, line }: PatchHunk, segments: readonly Segment[]): HunkMatch[] {
  const lines = changes.map(({ text }) => ({ text }));
  if (segments.length > 0 && !atEnd) return segments.map((segment) => ({ at: segment.start + 1, count: 0, lines, segment }));
  return line === undefined || file.length === 0 ? [{ at: file.length, count: 0, lines }] : [];
}

/** The parts of the file that begin with the last anchor. Each anchor is searched after the previous one. Without anchors there are none. */
function segmentsOf(file: readonly string[], anchors: readonly string[]): Segment[] | { anchor: string; after: number } {
  const [first, ...inner] = anchors;
  if (first === undefined) return [];
  const starts = file.flatMap((line, i) => (line.trim() === first ? [i] : []));
  if (starts.length === 0) return { anchor: first, after: 0 };
  let segments = starts.map((start, i): Segment => ({ start, end: starts[i + 1] ?? file.length }));
  for (const anchor of inner) {
    const after = (segments[0]?.start ?? 0) + 1;
    segments = segments.flatMap(({ start, end }) => {
      const found = file.findIndex((line, i) => i > start && i < end && line.trim() === anchor);
      return found < 0 ? [] : [{ start: found, end }];
    });
    if (segments.length === 0) return { anchor, after };
  }
  return segments;
}
