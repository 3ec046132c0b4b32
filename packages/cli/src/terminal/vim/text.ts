import { lineEnd, lineStart, nextCharacter, previousCharacter } from "../input/input-buffer.ts";

/** Positions in a text, as in vi: every character, and the end of every line. */

export { lineEnd, lineStart };

/** The position of the last character of the line; the start of an empty line. */
export const lastCharacter = (text: string, at: number): number =>
  lineEnd(text, at) === lineStart(text, at) ? lineStart(text, at) : previousCharacter(text, lineEnd(text, at));

export function firstNonBlank(text: string, at: number): number {
  const start = lineStart(text, at);
  const line = text.slice(start, lineEnd(text, at));
  const blanks = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return start + blanks < start + line.length ? start + blanks : lastCharacter(text, at);
}

/** Whether there are only spaces before this position in its line. */
export const isInIndent = (text: string, at: number): boolean => /^[ \t]*$/.test(text.slice(lineStart(text, at), at));

export const isEmptyLine = (text: string, at: number): boolean => lineStart(text, at) === at && lineEnd(text, at) === at;

export const isLastLine = (text: string, at: number): boolean => lineEnd(text, at) === text.length;

/** The cursor of normal mode, which is always on a character if the line has one. */
export const onCharacter = (text: string, at: number): number => Math.min(at, lastCharacter(text, at));

export const lineNumber = (text: string, at: number): number => text.slice(0, at).split("\n").length - 1;

/** The start of the line with this number from 0, or of the last line. */
export function startOfLine(text: string, number: number): number {
  let at = 0;
  for (let n = 0; n < number && !isLastLine(text, at); n++) at = lineEnd(text, at) + 1;
  return at;
}

/** The position in a line that is nearest to a column. */
export function atColumn(text: string, start: number, column: number): number {
  let at = start;
  for (let n = 0; n < column && at < lastCharacter(text, start); n++) at = nextCharacter(text, at);
  return at;
}

export function columnOf(text: string, at: number): number {
  let column = 0;
  for (let position = lineStart(text, at); position < at; position = nextCharacter(text, position)) column++;
  return column;
}
