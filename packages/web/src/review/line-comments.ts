import type { DiffRow } from "../components/diff/diff-rows.ts";

/** A comment on a line of a change. A removed line counts in the old file, any other line in the new one. */
export type LineComment = { path: string; line: number; removed: boolean; quote: string; text: string };

type LineAddress = Pick<LineComment, "path" | "line" | "removed">;

export const placeOfRow = (path: string, { sign, number }: DiffRow): LineAddress => ({ path, line: number, removed: sign === "-" });

export const isAt = (a: LineAddress, b: LineAddress): boolean => a.path === b.path && a.line === b.line && a.removed === b.removed;

/** The comments with one set or, if its text is empty, removed. */
export function withComment(comments: readonly LineComment[], comment: LineComment): LineComment[] {
  const others = comments.filter((each) => !isAt(each, comment));
  return comment.text.trim() === "" ? others : [...others, comment];
}

/** The comments as one prompt for the agent, by file and line. */
export function commentsPrompt(comments: readonly LineComment[]): string {
  const sorted = comments.toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  const parts = sorted.map(
    ({ path, line, removed, quote, text }) =>
      `${path}:${line}${removed ? " (removed line)" : ""}\n> ${quote.trim().slice(0, MAX_QUOTE)}\n${text.trim()}`,
  );
  return `My comments on your changes:\n\n${parts.join("\n\n")}`;
}

const MAX_QUOTE = 200;

/** The comments in a stored draft. */
export function parseComments(stored: string): LineComment[] {
  try {
    return stored === "" ? [] : (JSON.parse(stored) as LineComment[]); // written by this page
  } catch {
    return []; // not written by this page
  }
}
