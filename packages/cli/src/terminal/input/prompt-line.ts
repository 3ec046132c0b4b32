import type { KeyAction } from "@baton/core/terminal/key-actions";
import { acceptCompletion, type Suggestions } from "./completion.ts";
import type { History } from "./history.ts";
import { editInput, emptyInput, inputWith, insert, bufferRows, type InputBuffer } from "./input-buffer.ts";
import { initialVim, selection, type Vim, type VimState } from "../vim/state.ts";
import { FoldedPastes } from "./folded-pastes.ts";
import type { Key } from "./key-decoder.ts";

/** A part of an answer that the user types in the line instead of a prompt. */
type AnswerField = "note" | "rule";

/** A search in the history: the match with index `nth`, newest first. `before` is the line as it was before the search. */
type HistorySearch = { query: string; nth: number; before: InputBuffer };

/** The line that the user types in. It owns the text, the completion, the history position and the search. */
export class PromptLine {
  readonly #history: History;
  #input: InputBuffer = emptyInput;
  /** Text that was set aside when a request took the keys. */
  #aside: InputBuffer | undefined;
  /** The request that the text answers; undefined for a prompt. The first typed character decides it. */
  #requestId: string | undefined;
  #field: AnswerField | undefined;
  #suggestions: (Suggestions & { chosen: number }) | undefined;
  #search: HistorySearch | undefined;
  #historyIndex: number | undefined;
  readonly #pastes = new FoldedPastes();
  /** The state of the keys of vi, if the user wants them. */
  #vim: VimState | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  /** Uses the keys of vi from now on. */
  enableVim(): void {
    this.#vim = initialVim;
  }

  get vim(): VimState | undefined {
    return this.#vim;
  }

  /** The selected text of visual mode, as positions. */
  get selection(): { from: number; to: number } | undefined {
    return this.#vim && selection({ buffer: this.#input, state: this.#vim });
  }

  /** Applies a step of vi. Returns false if the step does nothing. */
  editWithVim(step: (vim: Vim) => Vim | undefined): boolean {
    const next = this.#vim && step({ buffer: this.#input, state: this.#vim });
    if (!next) return false;
    if (next.buffer.text !== this.#input.text) this.#historyIndex = undefined;
    if (next.buffer.text === "") this.#requestId = undefined;
    this.#input = next.buffer;
    this.#vim = next.state;
    return true;
  }

  get input(): InputBuffer {
    return this.#input;
  }

  get text(): string {
    return this.#input.text;
  }

  /** The text with every folded paste in full. */
  expandedText(): string {
    return this.#pastes.expand(this.text);
  }

  get field(): AnswerField | undefined {
    return this.#field;
  }

  get suggestions(): (Suggestions & { chosen: number }) | undefined {
    return this.#suggestions;
  }

  get search(): Readonly<HistorySearch> | undefined {
    return this.#search;
  }

  answers(requestId: string): boolean {
    return this.#requestId === requestId;
  }

  /** Decides what the text is for: an answer to this request, or a prompt. */
  setTarget(requestId: string | undefined): void {
    this.#requestId = requestId;
  }

  /** Replaces the text and puts the cursor at its end. */
  setText(text: string): void {
    this.#input = inputWith(text);
  }

  clear(): void {
    this.#input = emptyInput;
  }

  /** Clears the line after its prompt has been sent. */
  reset(): void {
    this.#input = emptyInput;
    this.#suggestions = undefined;
    this.#historyIndex = undefined;
    this.#requestId = undefined;
    this.#pastes.clear();
    if (this.#vim) this.#vim = { ...initialVim, register: this.#vim.register, lastChange: this.#vim.lastChange };
  }

  /** Applies a key, with its action. Returns false for a key that does not edit text. */
  edit(key: Key, action: KeyAction | undefined): boolean {
    const next = this.#pastes.edit(this.#input, key, action) ?? editInput(this.#input, key, action);
    if (!next) return false;
    if (next.text !== this.#input.text) this.#historyIndex = undefined;
    if (next.text === "") this.#requestId = undefined;
    this.#input = next;
    return true;
  }

  /** Replaces a backslash before the cursor with a line break. Returns false if there is none. */
  breakLine(): boolean {
    const { text, cursor } = this.#input;
    if (!text.slice(0, cursor).endsWith("\\")) return false;
    this.#input = insert({ text: text.slice(0, cursor - 1) + text.slice(cursor), cursor: cursor - 1 }, "\n");
    return true;
  }

  /** Lets the user type a note or a rule, starting from `text`. */
  openField(field: AnswerField, text: string): void {
    this.#field = field;
    this.#input = inputWith(text);
  }

  closeField(): void {
    this.#field = undefined;
    this.#input = emptyInput;
  }

  /** Sets the text aside, because a request takes the keys. */
  setAside(): void {
    if (this.#input.text === "") return;
    this.#aside = this.#input;
    this.#input = emptyInput;
  }

  /** Drops text that was meant for a request, and brings back the text that was set aside. */
  restore(): void {
    this.#field = undefined;
    if (this.#requestId !== undefined) this.#input = emptyInput;
    if (this.#aside && this.#input.text === "") this.#input = this.#aside;
    this.#aside = undefined;
    this.#requestId = undefined;
  }

  /** Offers suggestions. The one with the text `keep` stays chosen; otherwise the first one is chosen. */
  offer(suggestions: Suggestions | undefined, keep?: string): void {
    const index = suggestions?.items.findIndex(({ text }) => text === keep) ?? -1;
    this.#suggestions = suggestions && { ...suggestions, chosen: Math.max(0, index) };
  }

  chooseSuggestion(direction: "up" | "down"): void {
    if (!this.#suggestions) return;
    const { items, chosen } = this.#suggestions;
    const step = direction === "up" ? items.length - 1 : 1;
    this.#suggestions = { ...this.#suggestions, chosen: (chosen + step) % items.length };
  }

  /** Puts the chosen suggestion into the text. */
  complete(): void {
    if (!this.#suggestions) return;
    const { items, chosen } = this.#suggestions;
    this.#input = acceptCompletion(this.#input, this.#suggestions, items[chosen]?.text ?? "");
  }

  closeSuggestions(): void {
    this.#suggestions = undefined;
  }

  /** Moves the cursor to the next row of the text. From the first or last row it goes through the history. */
  moveRow(direction: "up" | "down", columns: number): void {
    const { rows, row, column } = bufferRows(this.#input, columns);
    const target = direction === "up" ? row - 1 : row + 1;
    if (target >= 0 && target < rows.length && this.#historyIndex === undefined) {
      this.#input = { ...this.#input, cursor: cursorAt(this.#input.text, columns, target, column) };
      return;
    }
    const { entries } = this.#history;
    const index = (this.#historyIndex ?? entries.length) + (direction === "up" ? -1 : 1);
    if (index < 0 || index > entries.length) return;
    this.#historyIndex = index === entries.length ? undefined : index;
    this.#input = inputWith(this.#pastes.fold(entries[index] ?? ""));
    this.#requestId = undefined;
  }

  /** Shows a matching entry of the history. Returns false if nothing matches. */
  findInHistory(query: string, nth: number): boolean {
    const before = this.#search?.before ?? this.#input;
    const matches = this.#history.entries.toReversed().filter((entry) => entry.toLowerCase().includes(query.toLowerCase()));
    const index = Math.min(nth, Math.max(0, matches.length - 1));
    const match = matches[index];
    this.#search = { query, nth: index, before };
    this.#input = match === undefined ? before : inputWith(this.#pastes.fold(match));
    this.#requestId = undefined;
    return match !== undefined;
  }

  endSearch({ restore }: { restore: boolean }): void {
    if (restore && this.#search) this.#input = this.#search.before;
    this.#search = undefined;
  }
}

/** The last cursor position in a row that is not right of `column`. */
function cursorAt(text: string, columns: number, row: number, column: number): number {
  let best = 0;
  for (let cursor = 0; cursor <= text.length; cursor++) {
    const position = bufferRows({ text, cursor }, columns);
    if (position.row === row && position.column <= column) best = cursor;
  }
  return best;
}
