import { editActions, type EditAction, type KeyAction } from "@baton/core/terminal/key-actions";
import { graphemes, displayWidth } from "../../render/layout.ts";
import type { Key } from "./key-decoder.ts";

/** The typed text and the cursor, in UTF-16 units, always between two characters. */
export type InputBuffer = { text: string; cursor: number };

export const emptyInput: InputBuffer = { text: "", cursor: 0 };

export const inputWith = (text: string): InputBuffer => ({ text, cursor: text.length });

/** Applies a key to the text. Undefined for a key that does not edit text. `action` is the action of the key. */
export function editInput(draft: InputBuffer, key: Key, action: KeyAction | undefined): InputBuffer | undefined {
  if (key.text !== undefined && !key.ctrl && !key.alt) return insert(draft, key.text);
  if (action === "newLine") return insert(draft, "\n");
  return isEditAction(action) ? applyEdit(draft, action) : undefined;
}

const isEditAction = (action: KeyAction | undefined): action is EditAction => action !== undefined && Object.hasOwn(editActions, action);

function applyEdit(draft: InputBuffer, action: EditAction): InputBuffer {
  const { text, cursor } = draft;
  switch (action) {
    case "cursorLeft":
      return { text, cursor: previousCharacter(text, cursor) };
    case "cursorRight":
      return { text, cursor: nextCharacter(text, cursor) };
    case "wordLeft":
      return { text, cursor: wordBefore(text, cursor) };
    case "wordRight":
      return { text, cursor: wordAfter(text, cursor) };
    case "lineStart":
      return { text, cursor: lineStart(text, cursor) };
    case "lineEnd":
      return { text, cursor: lineEnd(text, cursor) };
    case "deleteLeft":
      return without(draft, previousCharacter(text, cursor), cursor);
    case "deleteRight":
      return without(draft, cursor, nextCharacter(text, cursor));
    case "deleteWordLeft":
      return without(draft, wordBefore(text, cursor), cursor);
    case "deleteLineLeft":
      return without(draft, lineStart(text, cursor), cursor);
    case "deleteLineRight":
      return without(draft, cursor, lineEnd(text, cursor) === cursor ? nextCharacter(text, cursor) : lineEnd(text, cursor));
  }
}

export const insert = ({ text, cursor }: InputBuffer, more: string): InputBuffer => ({
  text: text.slice(0, cursor) + more + text.slice(cursor),
  cursor: cursor + more.length,
});

const without = ({ text }: InputBuffer, start: number, end: number): InputBuffer => ({
  text: text.slice(0, start) + text.slice(end),
  cursor: start,
});

/** The position of the character before this one. */
export const previousCharacter = (text: string, cursor: number): number =>
  cursor - ([...graphemes.segment(text.slice(Math.max(0, cursor - 64), cursor))].at(-1)?.segment.length ?? 0);

/** The position behind the character at this one. */
export function nextCharacter(text: string, cursor: number): number {
  const [next] = graphemes.segment(text.slice(cursor, cursor + 64));
  return cursor + (next?.segment.length ?? 0);
}

const wordBefore = (text: string, cursor: number): number => cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
const wordAfter = (text: string, cursor: number): number => cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);

export const lineStart = (text: string, cursor: number): number => (cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1);

export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

/** The text as rows of the screen, with the position of the cursor. */
export function bufferRows({ text, cursor }: InputBuffer, columns: number): { rows: string[]; row: number; column: number } {
  const rows: string[] = [""];
  let position = { row: 0, column: 0 };
  let usedColumns = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    const character = segment === "\t" ? "    " : segment;
    const isBreak = segment === "\n" || segment === "\r\n";
    const takes = isBreak ? 0 : displayWidth(character);
    if (!isBreak && usedColumns + takes > columns) {
      rows.push("");
      usedColumns = 0;
    }
    if (index <= cursor) position = { row: rows.length - 1, column: usedColumns };
    if (isBreak) {
      rows.push("");
      usedColumns = 0;
      continue;
    }
    rows[rows.length - 1] += character;
    usedColumns += takes;
  }
  if (cursor >= text.length) {
    if (usedColumns >= columns) rows.push("");
    position = { row: rows.length - 1, column: usedColumns >= columns ? 0 : usedColumns };
  }
  return { rows, ...position };
}
