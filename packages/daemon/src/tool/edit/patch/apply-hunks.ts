import { nearestLines } from "../explain-mismatch.ts";
import { searchedLines } from "../find-lines.ts";
import { oldLines } from "../line-changes.ts";
import { usualLineEnd } from "../line-end.ts";
import { chooseMatches } from "./choose-matches.ts";
import { findHunkMatches, type HunkMatches, type HunkMatch } from "./hunk-matches.ts";
import type { PatchHunk } from "./patch-types.ts";

type Line = { text: string; end: string };

/** Applies hunks if each of them has exactly one meaning. On failure, `fault` names the hunk and what to do. */
export function applyHunks(
  text: string,
  hunks: readonly PatchHunk[],
  path: string,
): { text: string; ignored: string[] } | { fault: string } {
  const lines = splitLines(text);
  const file = lines.map((line) => line.text);
  const searched = searchedLines(file);
  const found: HunkMatches[] = [];
  for (const [i, hunk] of hunks.entries()) {
    const matches = findHunkMatches(searched, hunk);
    if ("fault" in matches)
      return { fault: explainMismatch(matches, hunk, file, `Change ${i + 1} of ${hunks.length} does not match ${path}`) };
    if (matches.matches.length === 0)
      return {
        fault: `Change ${i + 1} of ${hunks.length} does not match ${path}: it only adds lines, and line numbers alone do not define the place. Add a line of context.`,
      };
    found.push(matches);
  }
  const order = chooseMatches(found.map(({ matches }) => matches));
  if ("fault" in order) {
    const change = `Change ${order.hunk + 1} of ${hunks.length}`;
    const old = oldLines(hunks[order.hunk]?.changes ?? []);
    return {
      fault:
        order.fault === "order"
          ? `${change} does not match ${path}: the file does not contain these lines in this order, exactly as written:\n${old.join("\n").slice(0, 800)}${nearTo(file, old)}`
          : `${change} could mean several places in ${path}: its lines are at ${order.lines.map((line) => `line ${line}`).join(" and ")}. Add lines of context, or write a line above them after @@.`,
    };
  }
  return { text: joinMatches(lines, order.matches, usualLineEnd(text)), ignored: [...new Set(found.flatMap(({ ignored }) => ignored))] };
}

function splitLines(text: string): Line[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const end = /\r?\n$/.exec(line)?.[0] ?? "";
    return { text: line.slice(0, line.length - end.length), end };
  });
}

/** Puts the matches into the file. Lines that stay keep their ends. A patch cannot say that a line has no end, so every added line has one. */
function joinMatches(lines: readonly Line[], matches: readonly HunkMatch[], lineEnd: string): string {
  const parts: Line[] = [];
  let at = 0;
  for (const match of matches.toSorted((a, b) => a.at - b.at)) {
    parts.push(...lines.slice(at, match.at));
    for (const { text, kept } of match.lines) parts.push({ text, end: kept === undefined ? lineEnd : (lines[kept]?.end ?? lineEnd) });
    at = match.at + match.count;
  }
  parts.push(...lines.slice(at));
  return parts.map(({ text, end }, i) => text + (end === "" && i < parts.length - 1 ? lineEnd : end)).join("");
}

type Mismatch = Exclude<ReturnType<typeof findHunkMatches>, HunkMatches>;

function explainMismatch(mismatch: Mismatch, { changes, atEnd }: PatchHunk, file: readonly string[], change: string): string {
  if (mismatch.fault === "anchor") {
    const far = mismatch.after > 0 ? ` after line ${mismatch.after}` : "";
    return `${change}: no line${far} is "${mismatch.anchor.slice(0, 200)}", which follows @@.${nearTo(file, [mismatch.anchor])}\nWrite a whole line of the file after @@, or leave @@ empty and add more lines of context.`;
  }
  const old = oldLines(changes);
  const where = atEnd ? "the file does not end with these lines" : "the file does not contain these lines in this order";
  return `${change}: ${where}, exactly as written:\n${old.join("\n").slice(0, 800)}${nearTo(file, old)}`;
}

/** The most similar lines, on a new line. Empty if there are none. */
function nearTo(lines: readonly string[], wanted: readonly string[]): string {
  const near = nearestLines(lines, wanted);
  return near === undefined ? "" : `\nThe nearest match:\n${near}`;
}
