import type { InputBuffer } from "../input/input-buffer.ts";
import type { VimCommand } from "./command.ts";
import type { VimState, Vim } from "./state.ts";
import * as place from "./text.ts";

const MAX_UNDO = 200;

const clamped = ({ text, cursor }: InputBuffer): InputBuffer => ({
  text,
  cursor: place.onCharacter(text, Math.min(cursor, text.length)),
});

/** Moves the cursor onto a character after something else changed the text. */
export const keepOnCharacter = ({ buffer, state }: Vim): Vim => ({ buffer: clamped(buffer), state });

export const withUndo = (state: VimState, before: InputBuffer): VimState => ({
  ...state,
  undo: [...state.undo, before].slice(-MAX_UNDO),
  redo: [],
});

/** Goes back by as many changes. */
export function undo({ buffer, state }: Vim, count: number): Vim {
  const before = state.undo.at(-1);
  if (!before || count === 0) return { buffer, state };
  const undone = { buffer: clamped(before), state: { ...state, undo: state.undo.slice(0, -1), redo: [...state.redo, buffer] } };
  return undo(undone, count - 1);
}

/** Does the change again that was undone last. */
export function redo({ buffer, state }: Vim): Vim {
  const next = state.redo.at(-1);
  if (!next) return { buffer, state };
  return { buffer: clamped(next), state: { ...state, redo: state.redo.slice(0, -1), undo: [...state.undo, buffer] } };
}

/** Ends a change: `u` can undo it and `.` can repeat it. */
export function finishChange({ buffer, state }: Vim, command: VimCommand, after: InputBuffer): Vim {
  if (after.text === buffer.text) return { buffer: after, state };
  return { buffer: after, state: { ...withUndo(state, buffer), lastChange: { command } } };
}
