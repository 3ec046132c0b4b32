import { hangingIndent, contentWidth, type TerminalStyle } from "../layout.ts";

const LEFT = 20;

/** Keys and their effect as a list. Long keys get a line of their own. */
export function keybindingLines(rows: readonly (readonly [keys: string, about: string])[], style: TerminalStyle): string[] {
  return rows.flatMap(([keys, about]) => labelledTextLines(keys, about, style, LEFT));
}

/** A name in bold and its text beside it, or below it if the name is long. */
export function labelledTextLines(name: string, text: string, style: TerminalStyle, left: number): string[] {
  const rest = " ".repeat(left + 2);
  const first = `  ${style.ansi.bold(name)}`;
  if (name.length >= left) return [first, ...hangingIndent(text, rest, contentWidth(style), { rest })];
  return hangingIndent(text, `${first}${" ".repeat(left - name.length)}`, contentWidth(style), { rest });
}
