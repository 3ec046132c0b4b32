import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { KeyBindings } from "@baton/core/terminal/key-bindings";
import type { KeyAction } from "@baton/core/terminal/key-actions";
import type { AnsiStyle } from "./ansi-style.ts";

/** The inputs of drawing: width, colors, time, home folder and the keys that texts name. */
export type TerminalStyle = { columns: number; ansi: AnsiStyle; now: number; home: string; keys: KeyBindings };

/** A text such as `Ctrl+G opens the inbox`. Empty if the action has no key. */
export function keyHint({ keys }: Pick<TerminalStyle, "keys">, action: KeyAction, does: string): string {
  const label = keys.label(action);
  return label === undefined ? "" : `${label} ${does}`;
}

/** On a narrower screen, results move to lines of their own. */
const NARROW = 72;

/** The width of the content. The last column stays free, because some terminals wrap a full line. */
export const contentWidth = ({ columns }: Pick<TerminalStyle, "columns">): number => Math.max(20, columns - 2);

export const isNarrow = ({ columns }: Pick<TerminalStyle, "columns">): boolean => columns < NARROW;

const TAB = "    ";

/** The columns of a text, without its escape codes. */
export const displayWidth = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));

const ASCII = /^[ -~]*$/;

/** Wraps at words, and with `hard` also inside long words. Colors continue after a break. */
export function wrap(text: string, columns: number, { trim = true, hard = true }: { trim?: boolean; hard?: boolean } = {}): string[] {
  const flat = text.replaceAll("\t", TAB);
  if (!flat.includes("\n") && displayWidth(flat) <= columns) return [flat];
  const wrapped = wrapAnsi(flat.replace(SHORT_CODE, joined), Math.max(4, columns), { hard, trim });
  return wrapped.replaceAll(NO_BREAK, " ").split("\n");
}

/** A short command in a sentence. It stays on one line, so that it can be read and copied. */
const SHORT_CODE = /`[^`\n\u00a0]{1,30}`/g;
const NO_BREAK = "\u00a0";
const joined = (code: string): string => code.replaceAll(" ", NO_BREAK);

/** Wraps a text with a prefix for the first line and another for the rest. */
export function hangingIndent(
  text: string,
  first: string,
  columns: number,
  options: { rest?: string; trim?: boolean; hard?: boolean } = {},
): string[] {
  const { rest = " ".repeat(displayWidth(first)), ...how } = options;
  return wrap(text, columns - displayWidth(first), how).map((line, i) => withoutTail((i === 0 ? first : rest) + line));
}

/** Trailing blanks of a line, before its final escape codes. */
const TAIL = new RegExp(`[ ]+((?:${"\u001b"}\\[[\\d;]*m)*)$`);

const withoutTail = (line: string): string => line.replace(TAIL, "$1");

/** Left and right text on one line. Undefined if there is no room for two spaces between them. */
export function justify(left: string, right: string, columns: number): string | undefined {
  const gap = columns - displayWidth(left) - displayWidth(right);
  return right === "" ? left : gap >= 2 ? left + " ".repeat(gap) + right : undefined;
}

/** A text padded or shortened to an exact number of columns. */
export const fitToWidth = (text: string, columns: number): string => {
  const short = truncate(text, columns);
  return short + " ".repeat(Math.max(0, columns - displayWidth(short)));
};

/** Shortens a text at its end. Never used for text that the user approves. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let shortened = "";
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(shortened + segment) > columns - 1) break;
    shortened += segment;
  }
  return `${shortened}…`;
}

/** Splits text into user-perceived characters. */
export const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
