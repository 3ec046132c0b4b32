import { keybindingLines } from "../../render/lists/keybinding-list.ts";
import type { TerminalStyle } from "../../render/layout.ts";
import { editKeyRows, promptKeyRows } from "./key-table.ts";

/** All keys of the terminal that are in effect, and how to change them. */
export const keybindingHelpLines = (style: TerminalStyle): string[] => [
  style.ansi.bold("Keys"),
  ...keybindingLines(promptKeyRows(style.keys), style),
  "",
  style.ansi.bold("Editing the prompt"),
  ...keybindingLines(editKeyRows(style.keys), style),
  "",
  style.ansi.dim("`terminal.keys` in config.jsonc changes them: `baton help settings`."),
];
