import type { KeyAction } from "@baton/core/terminal/key-actions";
import { keyName } from "@baton/core/terminal/key-name";
import type { TerminalClient } from "../terminal-client.ts";
import type { Key } from "../input/key-decoder.ts";
import { keepOnCharacter, redo } from "../vim/undo.ts";
import { isVerticalExit, pressCharacter, pressEscape } from "../vim/vim.ts";

/** Handles a key of vi in the prompt. Esc in normal mode, Enter and keys with Ctrl or Alt keep their usual meaning. */
export function handleVimKey(client: TerminalClient, key: Key, action: KeyAction | undefined): boolean {
  const { line, requests } = client;
  if (!line.vim || line.field) return false;
  if (line.text === "" && requests.focus) return false;
  if (keyName(key) === "escape") return handleEscape(client);
  if (line.vim.mode === "insert") return false;
  if (keyName(key) === "ctrl+r") return line.editWithVim(redo);
  const character = vimCharacter(key, action);
  if (character === undefined || (character === "?" && line.text === "")) return false;
  const direction = character === "k" ? "up" : "down";
  if (line.editWithVim((vim) => (isVerticalExit(vim, character) ? undefined : pressCharacter(vim, character)))) return true;
  line.moveRow(direction, client.style().columns - 4);
  return line.editWithVim(keepOnCharacter);
}

function handleEscape(client: TerminalClient): boolean {
  const isTaken = client.line.editWithVim(pressEscape);
  if (isTaken) client.line.closeSuggestions();
  return isTaken;
}

/** Keys of the usual editing that are commands of vi. */
const SAME_AS: Partial<Record<KeyAction, string>> = {
  cursorLeft: "h",
  cursorRight: "l",
  deleteLeft: "h",
  deleteRight: "x",
  wordLeft: "b",
  wordRight: "w",
  lineStart: "0",
  lineEnd: "$",
};

function vimCharacter({ name, ctrl, alt, text }: Key, action: KeyAction | undefined): string | undefined {
  if (text !== undefined && !ctrl && !alt) return name === "paste" ? undefined : text;
  return action && SAME_AS[action];
}
