import { emptyInput, nextCharacter, type InputBuffer } from "../input/input-buffer.ts";
import type { VimCommand } from "./command.ts";
import type { Find } from "./motions.ts";
import { linesOf, type Region, type Register } from "./region.ts";
import * as place from "./text.ts";

export type VimMode = "insert" | "normal" | "visual" | "visualLine";

/** A command that changed the text, for `.`. `inserted` is the text that was typed after it. */
type Change = { command: VimCommand; inserted?: string };

/** A change that is being typed: the text and the cursor before the command, and where typing began. */
type Insertion = { command: VimCommand; before: InputBuffer; start: InputBuffer };

export type VimState = {
  mode: VimMode;
  /** The keys of an unfinished command. */
  pending: string;
  register: Register;
  find?: Find | undefined;
  /** The column that `j` and `k` keep. */
  column?: number | undefined;
  /** Where a selection began. */
  anchor: number;
  undo: readonly InputBuffer[];
  redo: readonly InputBuffer[];
  insertion?: Insertion | undefined;
  lastChange?: Change | undefined;
};

/** The editor: the text with its cursor, and the state of vi. */
export type Vim = { buffer: InputBuffer; state: VimState };

/** A new prompt begins in insert mode, as if with `i` in an empty text. */
export const initialVim: VimState = {
  mode: "insert",
  pending: "",
  register: { text: "", isLines: false },
  anchor: 0,
  undo: [],
  redo: [],
  insertion: { command: { type: "action", count: undefined, name: "i" }, before: emptyInput, start: emptyInput },
};

export const isVisual = ({ mode }: VimState): boolean => mode === "visual" || mode === "visualLine";

/** The selected text of visual mode. */
export function selection({ buffer: { text, cursor }, state: { mode, anchor } }: Vim): Region | undefined {
  const [from, last] = anchor < cursor ? [anchor, cursor] : [cursor, anchor];
  if (mode === "visualLine") return linesOf(text, from, last);
  if (mode !== "visual") return undefined;
  return { from, to: last === place.lineEnd(text, last) ? Math.min(text.length, last + 1) : nextCharacter(text, last), isLines: false };
}
