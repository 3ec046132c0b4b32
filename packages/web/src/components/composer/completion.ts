import type { Mention } from "@baton/core/protocol/webview-messages";

/** What could be meant by what is being typed: `start` is where it begins in the text. */
export type CompletionQuery = { kind: "file" | "command"; start: number; typed: string };

/** A file for a word that begins with `@`, a command for a text that begins with `/`. */
export function completionAt(text: string, cursor: number): CompletionQuery | undefined {
  const typed = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(typed);
  if (command) return { kind: "command", start: 0, typed: command[1] ?? "" };
  const file = /(?:^|\s)@(\S*)$/.exec(typed)?.[1];
  return file === undefined ? undefined : { kind: "file", start: cursor - file.length - 1, typed: file };
}

/** The text with a suggestion in place of what was typed, and where the cursor stands then. */
export function applyCompletion(text: string, cursor: number, { start }: CompletionQuery, item: string): { text: string; cursor: number } {
  const put = item.endsWith("/") ? item : `${item} `;
  return { text: text.slice(0, start) + put + text.slice(cursor), cursor: start + put.length };
}

/** Of what an editor has to mention, that which is like what was typed: by its text, or by what it is. */
export function matchMentions(typed: string, mentions: readonly Mention[]): Mention[] {
  const wanted = typed.toLowerCase();
  return mentions.filter(({ text, about }) => text.slice(1).toLowerCase().includes(wanted) || about.startsWith(wanted));
}
