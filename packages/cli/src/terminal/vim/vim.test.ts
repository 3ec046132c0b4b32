import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { comparesCursor, isRecorded, RECORDED, vimCases, type VimResult } from "../../../test/vim/cases.ts";
import { runCase } from "../../../test/vim/run-case.ts";
import { emptyInput, insert } from "../input/input-buffer.ts";
import { initialVim, selection, type Vim } from "./state.ts";
import { redo } from "./undo.ts";
import { pressCharacter, pressEscape } from "./vim.ts";

const start = (marked: string): Vim => ({
  buffer: { text: marked.replace("|", ""), cursor: marked.indexOf("|") },
  state: { ...initialVim, mode: "normal", insertion: undefined },
});
const press = (vim: Vim, keys: string): Vim => Array.from(keys).reduce(pressCharacter, vim);
const shown = ({ buffer: { text, cursor } }: Vim): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

test("commands do the same as real vim", () => {
  const recorded = JSON.parse(readFileSync(RECORDED, "utf8")) as (number | [number, string])[];
  const cases = vimCases().filter((_, index) => isRecorded(index));
  expect(recorded).toHaveLength(cases.length);
  const different = cases.filter((each, i) => {
    const record = recorded[i] ?? 0;
    const [text, cursor]: VimResult = typeof record === "number" ? [each.text, record] : [record[1], record[0]];
    const [gotText, gotCursor] = runCase(each);
    return gotText !== text || (comparesCursor(each) && gotCursor !== cursor);
  });
  expect(different).toEqual([]);
});

test("a new prompt is in insert mode, and Esc leaves it", () => {
  const typed: Vim = { buffer: insert(emptyInput, "one two"), state: initialVim };
  const normal = pressEscape(typed);
  expect(normal && shown(normal)).toBe("one tw|o");
  expect(normal?.state.mode).toBe("normal");
  expect(normal && shown(press(normal, "u"))).toBe("|");
  expect(normal && pressEscape(normal)).toBeUndefined();
});

test("Esc ends an unfinished command", () => {
  const pending = press(start("o|ne"), "2d");
  expect(pending.state.pending).toBe("2d");
  const ended = pressEscape(pending);
  expect(ended && shown(press(ended, "l"))).toBe("on|e");
});

test("an undone change can be done again, until something else changes", () => {
  const changed = press(start("|one two three"), "dwdw");
  const undone = press(changed, "2u");
  expect(shown(undone)).toBe("|one two three");
  expect(shown(redo(undone))).toBe("|two three");
  expect(shown(redo(redo(undone)))).toBe("|three");
  expect(shown(redo(press(undone, "x")))).toBe("|ne two three");
});

test("a selection includes both of its ends, or whole lines", () => {
  expect(selection(press(start("|one two"), "ve"))).toEqual({ from: 0, to: 3, isLines: false });
  expect(selection(press(start("one\nt|wo"), "V"))).toEqual({ from: 4, to: 7, isLines: true });
  expect(selection(start("|one"))).toBeUndefined();
});

test("an operator on a selection can be repeated on the same number of characters", () => {
  expect(shown(press(start("|abcdefgh"), "v2ld."))).toBe("|gh");
});

test("several code points can form one character", () => {
  expect(shown(press(start("|👩‍💻👩‍💻b"), "x"))).toBe("|👩‍💻b");
  expect(shown(press(start("e\u0301|x"), "X"))).toBe("|x");
});
