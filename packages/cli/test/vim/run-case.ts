import { insert } from "../../src/terminal/input/input-buffer.ts";
import { initialVim, type Vim } from "../../src/terminal/vim/state.ts";
import { pressCharacter, pressEscape } from "../../src/terminal/vim/vim.ts";
import type { VimCase, VimResult } from "./cases.ts";

/** Runs a case in Baton's own vi mode. As in vi, Esc ends a step that is not complete. */
export function runCase({ text, cursor, steps }: VimCase): VimResult {
  let vim: Vim = { buffer: { text, cursor }, state: { ...initialVim, mode: "normal", insertion: undefined } };
  for (const step of steps) {
    for (const character of step) vim = type(vim, character);
    if (vim.state.mode !== "normal" || vim.state.pending !== "") vim = pressEscape(vim) ?? vim;
  }
  return [vim.buffer.text, vim.buffer.cursor];
}

function type(vim: Vim, character: string): Vim {
  if (character === "\u001b") return pressEscape(vim) ?? vim;
  if (vim.state.mode === "insert") return { buffer: insert(vim.buffer, character), state: vim.state };
  return pressCharacter(vim, character);
}
