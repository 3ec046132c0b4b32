import { previousCharacter } from "../input/input-buffer.ts";
import type { VimCommand, Operator } from "./command.ts";
import type { Action } from "./normal.ts";
import { joinLines, linesOf, mapCharacters, paste, toggleCharacterCase, type Region } from "./region.ts";
import { move, operate } from "./operate.ts";
import { type VimMode, type Vim, selection } from "./state.ts";
import { objectSpan } from "./text-objects.ts";
import { finishChange } from "./undo.ts";
import * as place from "./text.ts";

/** A command of visual mode. Operators take the selection and end it. */
export function runVisual(vim: Vim, command: VimCommand): Vim {
  const { buffer, state } = vim;
  const region = selection(vim);
  if (command.type === "motion") {
    const moved = move(vim, command);
    return { buffer: moved.buffer, state: { ...moved.state, mode: state.mode, anchor: state.anchor } };
  }
  if (command.type === "select") {
    const span = objectSpan(buffer, command.object);
    if (!span || span.from === span.to) return vim;
    return {
      buffer: { text: buffer.text, cursor: previousCharacter(buffer.text, span.to) },
      state: { ...state, mode: "visual", anchor: span.from },
    };
  }
  const normal: Vim = { buffer, state: { ...state, mode: "normal" } };
  if (!region) return normal;
  if (command.type === "operateSelection") return operateSelection(normal, command.operator, region);
  return command.type === "action" ? runOnSelection(normal, command, region, state.mode) : vim;
}

/** `.` repeats the operator on as many characters or lines. */
function operateSelection(vim: Vim, operator: Operator, region: Region): Vim {
  const { text } = vim.buffer;
  const selected = text.slice(region.from, region.to);
  const command: VimCommand = region.isLines
    ? { type: "operateLines", operator, count: selected.split("\n").length }
    : { type: "operate", operator, count: Array.from(selected).length, motion: { name: "l" } };
  return operate(vim, command, operator, region);
}

function runOnSelection(vim: Vim, command: Action, region: Region, mode: VimMode): Vim {
  const { buffer, state } = vim;
  const { text } = buffer;
  const start = place.onCharacter(text, region.from);
  const lines = linesOf(text, region.from, Math.max(region.from, region.to - (region.isLines ? 0 : 1)));
  switch (command.name) {
    case "x":
      return operateSelection(vim, "d", region);
    case "X":
    case "D":
      return operateSelection(vim, "d", lines);
    case "s":
      return operateSelection(vim, "c", region);
    case "S":
    case "C":
      return operateSelection(vim, "c", lines);
    case "Y":
      return operateSelection(vim, "y", lines);
    case "p":
    case "P": {
      const removed = operate(vim, command, "d", region);
      const where = region.from >= removed.buffer.text.length || removed.buffer.cursor < region.from ? "after" : "before";
      return { buffer: paste(removed.buffer, state.register, 1, where), state: removed.state };
    }
    case "~":
      return finishChange(vim, command, { text: mapCharacters(text, region, toggleCharacterCase), cursor: start });
    case "r":
      return finishChange(vim, command, { text: mapCharacters(text, region, () => command.character ?? ""), cursor: start });
    case "J": {
      const joined = joinLines({ text, cursor: region.from }, text.slice(lines.from, lines.to).split("\n").length);
      return joined ? finishChange(vim, command, joined) : vim;
    }
    case "o":
      return { buffer: { text, cursor: state.anchor }, state: { ...state, mode, anchor: buffer.cursor } };
    case "v":
    case "V": {
      const next = command.name === "v" ? "visual" : "visualLine";
      return { buffer, state: { ...state, mode: next === mode ? "normal" : next } };
    }
    case "u":
      return finishChange(vim, command, { text: mapCharacters(text, region, (character) => character.toLowerCase()), cursor: start });
    case "i":
    case "a":
    case "I":
    case "A":
    case "O":
    case ".":
      return { buffer, state: { ...state, mode } };
  }
}
