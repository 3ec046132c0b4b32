import { withUndo } from "./undo.ts";
import { previousCharacter, type InputBuffer } from "../input/input-buffer.ts";
import type { VimCommand } from "./command.ts";
import type { VimState, Vim } from "./state.ts";
import * as place from "./text.ts";

/** Goes to insert mode. `start` is the text and the cursor where typing begins. */
export function beginInsertion({ buffer, state }: Vim, command: VimCommand, start: InputBuffer): Vim {
  return { buffer: start, state: { ...state, mode: "insert", column: undefined, insertion: { command, before: buffer, start } } };
}

/** Ends insert mode: repeats the typed text by the count of the command, and moves the cursor onto the last typed character. */
export function endInsertion({ buffer, state }: Vim): Vim {
  const { insertion } = state;
  const inserted = insertion && typedText(insertion.start, buffer);
  const repeated = insertion && inserted !== undefined ? repeatInserted(buffer, insertion.command, inserted) : buffer;
  const { text, cursor } = repeated;
  const after = { text, cursor: cursor === place.lineStart(text, cursor) ? cursor : previousCharacter(text, cursor) };
  const normal: VimState = { ...state, mode: "normal", pending: "", insertion: undefined };
  if (!insertion || insertion.before.text === text) return { buffer: after, state: normal };
  const lastChange = { command: insertion.command, inserted: inserted ?? "" };
  return { buffer: after, state: { ...withUndo(normal, insertion.before), lastChange } };
}

/** The text that was typed at the start of an insertion. Undefined if something else was changed as well. */
function typedText(start: InputBuffer, { text }: InputBuffer): string | undefined {
  const [before, after] = [start.text.slice(0, start.cursor), start.text.slice(start.cursor)];
  const isOnlyInserted = text.length >= start.text.length && text.startsWith(before) && text.endsWith(after);
  return isOnlyInserted ? text.slice(before.length, text.length - after.length) : undefined;
}

/** `3ix` types x three times, and `3ox` makes three lines. Other commands use their count themselves. */
function repeatInserted({ text, cursor }: InputBuffer, command: VimCommand, inserted: string): InputBuffer {
  if (command.type !== "action" || command.count === undefined || !"iaIAoO".includes(command.name)) return { text, cursor };
  const opensLines = command.name === "o" || command.name === "O";
  const more = (opensLines ? `\n${inserted}` : inserted).repeat(command.count - 1);
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length };
}
