import { diffArrays } from "diff";

/** A line of a change: it stays, it goes, or it is new. */
export type LineChange = { mark: " " | "-" | "+"; text: string };

/** The lines that a change expects in the file. */
export const oldLines = (changes: readonly LineChange[]): string[] => changes.flatMap(({ mark, text }) => (mark === "+" ? [] : [text]));

const MAX_MS = 200;

/** The change from some lines to others. Lines that differ in blanks at their ends are equal. */
export function lineChanges(old: readonly string[], now: readonly string[]): LineChange[] {
  const marked = (mark: LineChange["mark"], lines: readonly string[]) => lines.map((text) => ({ mark, text }));
  const isSame = (a: string, b: string) => a.trimEnd() === b.trimEnd();
  const changes = diffArrays([...old], [...now], { comparator: isSame, timeout: MAX_MS });
  if (!changes) return [...marked("-", old), ...marked("+", now)];
  return changes.flatMap(({ added, removed, value }) => marked(added ? "+" : removed ? "-" : " ", value));
}
