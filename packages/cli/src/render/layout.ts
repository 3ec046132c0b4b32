import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { AnsiStyle } from "./ansi-style.ts";

/** What a drawing needs to know: how wide it may be, its colours, the time and the person's home. */
export type TerminalStyle = { columns: number; ink: AnsiStyle; now: number; home: string };

/** Below this the ends of lines go to lines of their own. */
export const NARROW = 72;

/** The last column stays free, so that no terminal breaks a full line by itself. */
export const contentWidth = ({ columns }: Pick<TerminalStyle, "columns">): number => Math.max(20, columns - 2);

export const isNarrow = ({ columns }: Pick<TerminalStyle, "columns">): boolean => columns < NARROW;

const TAB = "    ";

/** Columns that a text takes on the screen, colours not counted. */
export const width = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));

const ASCII = /^[ -~]*$/;

/** Breaks at words, and where it is `hard` inside words that are wider than a line. Keeps colours over the breaks. */
export function wrap(text: string, columns: number, { trim = true, hard = true }: { trim?: boolean; hard?: boolean } = {}): string[] {
  const flat = text.replaceAll("\t", TAB);
  const fits = !flat.includes("\n") && width(flat) <= columns;
  return fits ? [flat] : wrapAnsi(flat, Math.max(4, columns), { hard, trim }).split("\n");
}

/** A text with something in front of its first line, and of the lines that it breaks into. */
export function hang(
  text: string,
  first: string,
  columns: number,
  options: { rest?: string; trim?: boolean; hard?: boolean } = {},
): string[] {
  const { rest = " ".repeat(width(first)), ...how } = options;
  return wrap(text, columns - width(first), how).map((line, i) => withoutTail((i === 0 ? first : rest) + line));
}

/** Blanks at the end of a line, before the codes that end its colours. */
const TAIL = new RegExp(`[ ]+((?:${"\u001b"}\\[[\\d;]*m)*)$`);

const withoutTail = (line: string): string => line.replace(TAIL, "$1");

/** Left and right on one line, or undefined when they do not fit with two blanks between them. */
export function spread(left: string, right: string, columns: number): string | undefined {
  const gap = columns - width(left) - width(right);
  return right === "" ? left : gap >= 2 ? left + " ".repeat(gap) + right : undefined;
}

/** Text that takes exactly so many columns: filled with blanks, or shortened. */
export const column = (text: string, columns: number): string => {
  const short = cut(text, columns);
  return short + " ".repeat(Math.max(0, columns - width(short)));
};

/** Shortens at the end. Never used for what is to be approved. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (width(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Characters as persons count them. */
export const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
