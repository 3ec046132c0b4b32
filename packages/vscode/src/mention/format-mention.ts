/** Lines count from 0, as in the editor. `isEmpty` is true without a selection. */
export type Selected = { isEmpty: boolean; start: { line: number }; end: { line: number; character: number } };

/** The mention of a file with its selected lines: `@src/a.ts:3-9`. */
export function formatMention(path: string, selected?: Selected): string {
  const mention = path.includes(" ") ? `@"${path}"` : `@${path}`;
  if (!selected || selected.isEmpty) return mention;
  const first = selected.start.line + 1;
  const last = selected.end.line + (selected.end.character === 0 && selected.end.line > selected.start.line ? 0 : 1);
  return first === last ? `${mention}:${first}` : `${mention}:${first}-${last}`;
}

export type Problem = { message: string; line: number; source?: string | undefined; code?: string | undefined };

/** A problem as one line of a prompt. `line` counts from 0. */
export function problemText(path: string, { message, line, source, code }: Problem): string {
  const origin = [source, code].filter(Boolean).join(" ");
  return `${formatMention(path)}:${line + 1}: ${message.replace(/\s+/g, " ").trim()}${origin === "" ? "" : ` (${origin})`}`;
}
