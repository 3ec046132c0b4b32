import type { InputBuffer } from "../input/input-buffer.ts";
import type { VimCommand, Operator } from "./command.ts";
import { beginInsertion } from "./insertion.ts";
import { motionTarget, type MotionTarget } from "./motions.ts";
import { deleteRegion, emptyRegion, linesOf, registerOf, type Region } from "./region.ts";
import { type Vim, isVisual } from "./state.ts";
import { finishChange } from "./undo.ts";
import * as place from "./text.ts";

type MotionCommand = Extract<VimCommand, { type: "motion" | "operate" }>;

/** The target of a motion with its count. */
export function countedMotionTarget(
  { buffer, state }: Vim,
  { count, motion }: MotionCommand,
  operator?: Operator,
): MotionTarget | undefined {
  const column = state.column ?? place.columnOf(buffer.text, buffer.cursor);
  return motionTarget(buffer, motion, {
    count,
    column,
    find: state.find,
    hasOperator: operator !== undefined,
    isVisual: isVisual(state),
    isChange: operator === "c",
  });
}

/** Remembers the character of a search in the line. */
export function rememberFind({ buffer, state }: Vim, { motion }: MotionCommand): Vim {
  const { name, character } = motion;
  const isFind = name === "f" || name === "F" || name === "t" || name === "T";
  return { buffer, state: { ...state, column: undefined, ...(isFind && character !== undefined ? { find: { name, character } } : {}) } };
}

/** Moves the cursor. */
export function move(vim: Vim, command: Extract<VimCommand, { type: "motion" }>): Vim {
  const { text, cursor } = vim.buffer;
  const target = countedMotionTarget(vim, command);
  const next = rememberFind(vim, command);
  const { name } = command.motion;
  const isWordToEnd = target === undefined && (name === "w" || name === "W");
  const to = isWordToEnd ? text.length : (target?.to ?? cursor);
  const keepsColumn = name === "j" || name === "k";
  const column = name === "$" ? Infinity : keepsColumn ? (vim.state.column ?? place.columnOf(text, cursor)) : undefined;
  return { buffer: { text, cursor: isVisual(vim.state) ? to : place.onCharacter(text, to) }, state: { ...next.state, column } };
}

/** Applies an operator to lines from the one of the cursor on. */
export function operateLines(vim: Vim, command: VimCommand, operator: Operator, count: number): Vim {
  const { text, cursor } = vim.buffer;
  const line = place.lineNumber(text, cursor);
  const last = place.startOfLine(text, line + count - 1);
  if (count > 1 && place.isLastLine(text, cursor)) return vim;
  return operate(vim, command, operator, linesOf(text, cursor, last), { to: cursor, kind: "lines" });
}

/** Applies an operator to a region, and remembers it in the register. */
export function operate(vim: Vim, command: VimCommand, operator: Operator, region: Region, target?: MotionTarget): Vim {
  const { buffer, state } = vim;
  const isEmpty = !region.isLines && region.from === region.to;
  if (isEmpty && operator === "d") return { buffer, state: { ...state, column: undefined } };
  const register = isEmpty && operator === "c" ? state.register : registerOf(buffer.text, region);
  const next: Vim = { buffer, state: { ...state, register, column: undefined } };
  switch (operator) {
    case "y":
      return { ...next, buffer: { text: buffer.text, cursor: yankCursor(buffer, region, target) } };
    case "d":
      return finishChange(next, command, deleteRegion(buffer, region));
    case "c":
      return beginInsertion(next, command, emptyRegion(buffer, region));
  }
}

/** A copy moves the cursor to its start. A copy of whole lines keeps the column, unless its motion chose one. */
function yankCursor({ text, cursor }: InputBuffer, { from, isLines }: Region, target: MotionTarget | undefined): number {
  if (!isLines) return place.onCharacter(text, from);
  return target && target.to < cursor ? target.to : cursor;
}
