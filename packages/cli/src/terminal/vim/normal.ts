import { nextCharacter, previousCharacter } from "../input/input-buffer.ts";
import type { ActionName, VimCommand, Operator } from "./command.ts";
import { beginInsertion, endInsertion } from "./insertion.ts";
import { joinLines, mapCharacters, paste, regionOf, toggleCharacterCase } from "./region.ts";
import { countedMotionTarget, rememberFind, move, operateLines, operate } from "./operate.ts";
import type { Vim } from "./state.ts";
import { objectSpan } from "./text-objects.ts";
import { undo, finishChange } from "./undo.ts";
import * as place from "./text.ts";

/** Runs a command of normal mode. */
export function runNormal(vim: Vim, command: VimCommand): Vim {
  switch (command.type) {
    case "motion":
      return move(vim, command);
    case "operate": {
      const target = countedMotionTarget(vim, command, command.operator);
      const moved = rememberFind(vim, command);
      if (!target && command.operator === "c" && /^[hl]$/.test(command.motion.name)) return beginInsertion(moved, command, vim.buffer);
      return target ? operate(moved, command, command.operator, regionOf(vim.buffer, target, command.operator), target) : moved;
    }
    case "operateLines":
      return operateLines(vim, command, command.operator, command.count ?? 1);
    case "operateObject": {
      const span = objectSpan(vim.buffer, command.object);
      return span ? operate(vim, command, command.operator, { ...span, isLines: false }) : vim;
    }
    case "select":
    case "operateSelection":
      return vim; // only visual mode has a selection
    case "action":
      return runAction(vim, command, command.name, command.count, command.character ?? "");
  }
}

export type Action = Extract<VimCommand, { type: "action" }>;

/** The commands that are short for an operator with a motion. */
const SHORT_FOR: Partial<Record<ActionName, readonly [Operator, "l" | "h" | "$"]>> = {
  x: ["d", "l"],
  X: ["d", "h"],
  s: ["c", "l"],
  D: ["d", "$"],
  C: ["c", "$"],
};

function runAction(vim: Vim, command: Action, name: ActionName, count: number | undefined, character: string): Vim {
  const { buffer, state } = vim;
  const { text, cursor } = buffer;
  const short = SHORT_FOR[name];
  if (short) return runShort(vim, command, short);
  const insertAt = (at: number, more = "") =>
    beginInsertion(vim, command, { text: text.slice(0, at) + more + text.slice(at), cursor: name === "O" ? at : at + more.length });
  switch (name) {
    case "i":
      return insertAt(cursor);
    case "a":
      return insertAt(Math.min(nextCharacter(text, cursor), place.lineEnd(text, cursor)));
    case "I":
      return insertAt(place.lineStart(text, cursor) + (/^[ \t]*/.exec(text.slice(place.lineStart(text, cursor)))?.[0].length ?? 0));
    case "A":
      return insertAt(place.lineEnd(text, cursor));
    case "o":
      return insertAt(place.lineEnd(text, cursor), "\n");
    case "O":
      return insertAt(place.lineStart(text, cursor), "\n");
    case "S":
      return operateLines(vim, command, "c", count ?? 1);
    case "Y":
      return operateLines(vim, command, "y", count ?? 1);
    case "p":
    case "P":
      return state.register.text === "" && !state.register.isLines
        ? vim
        : finishChange(vim, command, paste(buffer, state.register, count ?? 1, name === "p" ? "after" : "before"));
    case "u":
      return undo(vim, count ?? 1);
    case ".":
      return repeatChange(vim, count);
    case "~":
      return overwrite(vim, command, count ?? 1, toggleCharacterCase, { movesOn: true });
    case "r":
      return overwrite(vim, command, count ?? 1, () => character, { movesOn: false });
    case "J": {
      const joined = joinLines(buffer, count ?? 2);
      return joined ? finishChange(vim, command, joined) : vim;
    }
    case "v":
    case "V":
      return { buffer, state: { ...state, mode: name === "v" ? "visual" : "visualLine", anchor: cursor } };
    case "x":
    case "X":
    case "s":
    case "D":
    case "C":
      return vim; // `runShort` has run these
  }
}

function runShort(vim: Vim, command: Action, [operator, name]: readonly [Operator, "l" | "h" | "$"]): Vim {
  const { buffer } = vim;
  const target = countedMotionTarget(vim, { type: "operate", count: command.count, operator, motion: { name } }, operator);
  if (target) return operate(vim, command, operator, regionOf(buffer, target, operator));
  return operator === "c" ? beginInsertion(vim, command, buffer) : vim;
}

/** Changes characters from the cursor on. `~` changes as many as there are; `r` changes nothing if there are too few. */
function overwrite(
  vim: Vim,
  command: VimCommand,
  count: number,
  change: (character: string) => string,
  { movesOn }: { movesOn: boolean },
): Vim {
  const { text, cursor } = vim.buffer;
  const end = place.lineEnd(text, cursor);
  let [to, done] = [cursor, 0];
  for (; done < count && to < end; done++) to = nextCharacter(text, to);
  if (done === 0 || (!movesOn && done < count)) return vim;
  const after = mapCharacters(text, { from: cursor, to }, change);
  const last = movesOn ? to : previousCharacter(text, to);
  return finishChange(vim, command, { text: after, cursor: place.onCharacter(after, last) });
}

/** `.` runs the last change again, with its own count or a new one. */
function repeatChange(vim: Vim, count: number | undefined): Vim {
  const { lastChange } = vim.state;
  if (!lastChange) return vim;
  const { command: last, inserted = "" } = lastChange;
  const command = count === undefined || !("count" in last) ? last : { ...last, count };
  const begun = runNormal(vim, command);
  if (begun.state.mode !== "insert") return begun;
  const { text, cursor } = begun.buffer;
  const typed = { text: text.slice(0, cursor) + inserted + text.slice(cursor), cursor: cursor + inserted.length };
  return endInsertion({ buffer: typed, state: begun.state });
}
