import { parseCommand } from "./command.ts";
import { endInsertion } from "./insertion.ts";
import { runNormal } from "./normal.ts";
import { type Vim, isVisual } from "./state.ts";
import { runVisual } from "./visual.ts";
import * as place from "./text.ts";

/** Leaves insert mode, or ends a selection or an unfinished command. Undefined if normal mode has nothing to end. */
export function pressEscape({ buffer, state }: Vim): Vim | undefined {
  if (state.mode === "insert") return endInsertion({ buffer, state });
  if (state.mode === "normal" && state.pending === "") return undefined;
  return { buffer, state: { ...state, mode: "normal", pending: "" } };
}

/** Applies a character that was typed in normal or visual mode. A character that means nothing ends the command. */
export function pressCharacter(vim: Vim, character: string): Vim {
  const { buffer, state } = vim;
  const typed = state.pending + character;
  const command = parseCommand(typed, { isVisual: isVisual(state) });
  if (command === "incomplete") return { buffer, state: { ...state, pending: typed } };
  const idle: Vim = { buffer, state: { ...state, pending: "" } };
  if (!command) return idle;
  return isVisual(state) ? runVisual(idle, command) : runNormal(idle, command);
}

/** Whether a key would move out of the text, so that the history can take it. */
export const isVerticalExit = ({ buffer, state }: Vim, character: string): boolean =>
  state.mode === "normal" &&
  state.pending === "" &&
  ((character === "k" && place.lineStart(buffer.text, buffer.cursor) === 0) ||
    (character === "j" && place.isLastLine(buffer.text, buffer.cursor)));
