import { nextCharacter, previousCharacter, type InputBuffer } from "../input/input-buffer.ts";
import type { Motion } from "./command.ts";
import * as place from "./text.ts";
import { nextWord, previousWord, previousWordEnd, wordEnd } from "./word-motions.ts";

/** Where a motion goes. `exclusive` and `inclusive` say whether an operator takes the last character, `lines` that it takes whole lines. */
export type MotionTarget = { to: number; kind: "exclusive" | "inclusive" | "lines" };

/** The last `f`, `F`, `t` or `T`, for `;` and `,`. */
export type Find = { name: "f" | "F" | "t" | "T"; character: string };

type MotionContext = {
  count: number | undefined;
  /** The column that `j` and `k` keep. */
  column: number;
  find: Find | undefined;
  hasOperator: boolean;
  /** Whether there is a selection, which can include the end of a line. */
  isVisual: boolean;
  /** Whether the operator is `c`, for which `w` means `e` on a word. */
  isChange?: boolean;
};

/** The target of a motion. Undefined if it cannot move; an operator then does nothing. */
export function motionTarget({ text, cursor }: InputBuffer, motion: Motion, context: MotionContext): MotionTarget | undefined {
  const { count, column, hasOperator, isVisual } = context;
  const mayEndLine = hasOperator || isVisual;
  const times = count ?? 1;
  const isBig = /[WBE]$/.test(motion.name);
  const exclusive = (to: number | undefined): MotionTarget | undefined => (to === undefined ? undefined : { to, kind: "exclusive" });
  const inclusive = (to: number | undefined): MotionTarget | undefined => (to === undefined ? undefined : { to, kind: "inclusive" });
  switch (motion.name) {
    case "h":
      return cursor === place.lineStart(text, cursor) ? undefined : exclusive(repeat(times, cursor, (at) => left(text, at)));
    case "l": {
      const most = mayEndLine ? place.lineEnd(text, cursor) : place.lastCharacter(text, cursor);
      return cursor >= most ? undefined : exclusive(repeat(times, cursor, (at) => Math.min(most, nextCharacter(text, at))));
    }
    case "j":
    case "k":
      return verticalTarget(text, cursor, motion.name === "j" ? times : -times, column, isVisual);
    case "w":
    case "W":
      if (context.isChange === true && /\S/.test(text.charAt(cursor)))
        return inclusive(wordEnd(text, cursor, times, { isBig, stop: true }));
      return exclusive(nextWord(text, cursor, times, { isBig, hasOperator }));
    case "e":
    case "E":
      return inclusive(wordEnd(text, cursor, times, { isBig }));
    case "b":
    case "B":
      return exclusive(previousWord(text, cursor, times, { isBig }));
    case "ge":
    case "gE":
      return inclusive(previousWordEnd(text, cursor, times, { isBig }));
    case "0":
      return exclusive(place.lineStart(text, cursor));
    case "^":
      return exclusive(place.firstNonBlank(text, cursor));
    case "_": {
      const down = verticalTarget(text, cursor, times - 1, 0);
      return down && { to: place.firstNonBlank(text, down.to), kind: "lines" };
    }
    case "$": {
      const down = verticalTarget(text, cursor, times - 1, 0);
      return inclusive(down && (isVisual ? place.lineEnd(text, down.to) : place.lastCharacter(text, down.to)));
    }
    case "gg":
    case "G": {
      const usual = motion.name === "gg" ? 0 : Infinity;
      const number = count === undefined ? usual : count - 1;
      return { to: place.firstNonBlank(text, place.startOfLine(text, number)), kind: "lines" };
    }
    case "f":
    case "F":
    case "t":
    case "T":
      return findTarget(text, cursor, { name: motion.name, character: motion.character ?? "" }, times, false);
    case ";":
    case ",":
      return context.find && findTarget(text, cursor, motion.name === ";" ? context.find : reversed(context.find), times, true);
  }
}

function repeat(times: number, from: number, step: (at: number) => number): number {
  let at = from;
  for (let n = 0; n < times; n++) {
    const next = step(at);
    if (next === at) break;
    at = next;
  }
  return at;
}

const left = (text: string, at: number): number => (at === place.lineStart(text, at) ? at : previousCharacter(text, at));

/** Lines up or down, as far as there are lines. Undefined if there is none. */
function verticalTarget(text: string, cursor: number, lines: number, column: number, isVisual = false): MotionTarget | undefined {
  const line = place.lineNumber(text, cursor);
  const last = place.lineNumber(text, text.length);
  const target = Math.max(0, Math.min(last, line + lines));
  if (target === line && lines !== 0) return undefined;
  const start = place.startOfLine(text, target);
  const to = place.atColumn(text, start, column);
  return { to: isVisual && place.columnOf(text, to) < column ? place.lineEnd(text, start) : to, kind: "lines" };
}

const OTHER_WAY = { f: "F", F: "f", t: "T", T: "t" } as const;
const reversed = ({ name, character }: Find): Find => ({ name: OTHER_WAY[name], character });

/** Looks for a character in the line. A repeated `t` skips a character that it is already beside. */
function findTarget(text: string, cursor: number, { name, character }: Find, count: number, isRepeated: boolean): MotionTarget | undefined {
  const isForward = name === "f" || name === "t";
  const isUntil = name === "t" || name === "T";
  const [start, end] = [place.lineStart(text, cursor), place.lineEnd(text, cursor)];
  let at = cursor;
  if (isUntil && isRepeated && count === 1) {
    const beside = isForward ? nextCharacter(text, at) : left(text, at);
    if (text.startsWith(character, beside)) at = beside;
  }
  for (let n = 0; n < count; n++) {
    const found = isForward ? text.indexOf(character, nextCharacter(text, at)) : at === start ? -1 : text.lastIndexOf(character, at - 1);
    if (found < start || found >= end) return undefined;
    at = found;
  }
  const to = !isUntil ? at : isForward ? previousCharacter(text, at) : nextCharacter(text, at);
  return { to, kind: isForward ? "inclusive" : "exclusive" };
}
