import { nextCharacter, previousCharacter, type InputBuffer } from "../input/input-buffer.ts";
import type { Operator } from "./command.ts";
import type { MotionTarget } from "./motions.ts";
import { firstNonBlank, isEmptyLine, isInIndent, lineEnd, lineStart, onCharacter } from "./text.ts";

/** The text that was deleted or copied last, for `p`. */
export type Register = { text: string; isLines: boolean };

/** The text that an operator works on, without the character at `to`. */
export type Region = { from: number; to: number; isLines: boolean };

/** The region between the cursor and the target of a motion. vi turns some motions over several lines into whole lines. */
export function regionOf({ text, cursor }: InputBuffer, { to: target, kind }: MotionTarget, operator: Operator): Region {
  const [from, end] = target < cursor ? [target, cursor] : [cursor, target];
  if (kind === "lines") return linesOf(text, from, end);
  const spansLines = lineEnd(text, from) < end;
  if (kind === "exclusive" && spansLines && lineStart(text, end) === end) {
    if (isInIndent(text, from) && !(isEmptyLine(text, from) && from === end)) return linesOf(text, from, end - 1);
    return linewiseIfBlank(text, { from, to: end - 1, isLines: false }, operator);
  }
  const to = kind === "inclusive" ? Math.min(nextCharacter(text, end), lineEnd(text, end)) : end;
  return linewiseIfBlank(text, { from, to, isLines: false }, operator);
}

/** A deletion over several lines that would leave a blank line takes the whole lines. */
function linewiseIfBlank(text: string, region: Region, operator: Operator): Region {
  const { from, to } = region;
  const spansLines = lineEnd(text, from) < to;
  const leavesBlank = isInIndent(text, from) && /^[ \t]*$/.test(text.slice(to, lineEnd(text, to)));
  return operator === "d" && spansLines && leavesBlank ? linesOf(text, from, to) : region;
}

export const linesOf = (text: string, from: number, to: number): Region => ({
  from: lineStart(text, from),
  to: lineEnd(text, to),
  isLines: true,
});

export const registerOf = (text: string, { from, to, isLines }: Region): Register => ({ text: text.slice(from, to), isLines });

/** Deletes a region. The cursor of normal mode is then on a character. */
export function deleteRegion({ text }: InputBuffer, { from, to, isLines }: Region): InputBuffer {
  if (!isLines) {
    const rest = text.slice(0, from) + text.slice(to);
    return { text: rest, cursor: onCharacter(rest, from) };
  }
  const isAtEnd = to === text.length;
  const rest = isAtEnd ? text.slice(0, Math.max(0, from - 1)) : text.slice(0, from) + text.slice(to + 1);
  return { text: rest, cursor: firstNonBlank(rest, Math.min(from, rest.length)) };
}

/** Removes what `c` replaces. Of whole lines an empty line stays. */
export const emptyRegion = ({ text }: InputBuffer, { from, to }: Region): InputBuffer => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
});

/** Puts the register behind or before the cursor. */
export function paste({ text, cursor }: InputBuffer, register: Register, count: number, where: "after" | "before"): InputBuffer {
  if (register.isLines) {
    const lines = Array.from({ length: count }, () => register.text).join("\n");
    const isAfter = where === "after";
    const at = isAfter ? lineEnd(text, cursor) : lineStart(text, cursor);
    const pasted = text.slice(0, at) + (isAfter ? `\n${lines}` : `${lines}\n`) + text.slice(at);
    return { text: pasted, cursor: firstNonBlank(pasted, isAfter ? at + 1 : at) };
  }
  const at = where === "before" || isEmptyLine(text, cursor) ? cursor : nextCharacter(text, cursor);
  const more = register.text.repeat(count);
  const pasted = text.slice(0, at) + more + text.slice(at);
  return { text: pasted, cursor: register.text.includes("\n") ? onCharacter(pasted, at) : previousCharacter(pasted, at + more.length) };
}

/** Joins lines with a space between them. Undefined if there is no next line. */
export function joinLines(buffer: InputBuffer, count: number): InputBuffer | undefined {
  let { text, cursor } = buffer;
  for (let n = 0; n < Math.max(1, count - 1); n++) {
    const end = lineEnd(text, cursor);
    if (end === text.length) return n === 0 ? undefined : { text, cursor };
    const rest = text.slice(end + 1).replace(/^[ \t]+/, "");
    const isBare = /^(\n|$|\))/.test(rest) || /[ \t]$/.test(text.slice(0, end)) || lineStart(text, end) === end;
    text = text.slice(0, end) + (isBare ? "" : " ") + rest;
    cursor = end;
  }
  return { text, cursor: onCharacter(text, cursor) };
}

/** Changes characters one by one, and leaves the line breaks. */
export function mapCharacters(text: string, { from, to }: Pick<Region, "from" | "to">, change: (character: string) => string): string {
  const part = text.slice(from, to).replace(/[^\n]/gu, change);
  return text.slice(0, from) + part + text.slice(to);
}

/** Changes the case of a character, if it then still is one character. */
export function toggleCharacterCase(character: string): string {
  const other = character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase();
  return other.length === character.length ? other : character;
}
