import { hang, contentWidth, type TerminalStyle } from "../render/layout.ts";

const KEYS: readonly [string, string][] = [
  ["Enter", "sends; queues while it works"],
  ["Alt+Enter", "steers: comes in after the calls that are open"],
  ["\\ Enter, Ctrl+J", "breaks the line, as Shift+Enter does"],
  ["Shift+Tab", "next mode"],
  ["Tab", "next request; completes @ and /"],
  ["1 … 9", "answer the request"],
  ["d  e  n  v", "deny, edit the rule, note, full text (in an approval)"],
  ["Esc", "leaves a request for later; else stops the turn"],
  ["Esc Esc", "goes back to an earlier prompt, with files or without"],
  ["Ctrl+R", "searches what you sent before"],
  ["! command", "runs in your own shell; its output joins your next prompt"],
  ["Ctrl+G", "inbox: all that waits for you"],
  ["Ctrl+O", "all of the last call"],
  ["Up, Down", "what you sent before"],
  ["Ctrl+C twice", "leaves; the work goes on"],
];

const LEFT = 16;

type Command = { name: string; about: string };

/** The keys, and the commands that can be typed, one entry each: the lines that it takes. */
export function helpEntries(look: TerminalStyle, commands: readonly Command[]): string[][] {
  const { ink } = look;
  const entry = (left: string, right: string) =>
    hang(right, `  ${ink.bold(left)}${" ".repeat(Math.max(1, LEFT - left.length))}`, contentWidth(look), { rest: " ".repeat(LEFT + 2) });
  return [...KEYS.map(([key, about]) => entry(key, about)), [""], ...commands.map(({ name, about }) => entry(`/${name}`, about))];
}

/** Whole entries by pages of at most so many lines; an entry that is longer has one of its own. */
export function pagesOf(entries: readonly string[][], most: number): string[][] {
  const pages: string[][] = [[]];
  for (const entry of entries) {
    const page = pages.at(-1) ?? [];
    if (page.length > 0 && page.length + entry.length > most) pages.push(entry.filter((line) => line !== ""));
    else page.push(...entry);
  }
  return pages;
}
