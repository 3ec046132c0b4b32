import type { KeyAction } from "@baton/core/terminal/key-actions";
import { truncate, contentWidth, type TerminalStyle } from "../render/layout.ts";
import { editInput, emptyInput, type InputBuffer } from "./input/input-buffer.ts";
import type { Key } from "./input/key-decoder.ts";

/** Something to pick. `detail` is shown beside the label and is searched as well. */
export type PickerItem<T> = { label: string; detail: string; value: T };

/** A list to pick from. `onPick` is called at most once. `alternative`: what Alt+Enter does with the item, as a verb for the hint. */
export type PickerOptions<T> = {
  title: string;
  items: readonly PickerItem<T>[];
  onPick: (value: T) => void;
  alternative?: { label: string; onPick: (value: T) => void };
};

/** A list that the user filters by typing. Every typed word must appear in an item. */
export class Picker<T> {
  readonly #options: PickerOptions<T>;
  #input: InputBuffer = emptyInput;
  #chosen = 0;

  constructor(options: PickerOptions<T>) {
    this.#options = options;
  }

  /** Handles a key, with its action. Returns false if the picker closes. */
  press(key: Key, action: KeyAction | undefined): boolean {
    const { onPick, alternative } = this.#options;
    if (key.name === "escape") return false;
    if (key.name === "enter") {
      const item = this.#matches()[this.#chosen];
      if (!item) return true;
      (key.alt && alternative ? alternative.onPick : onPick)(item.value);
      return false;
    }
    if (key.name === "up" || key.name === "down") {
      const { length } = this.#matches();
      if (length > 0) this.#chosen = (this.#chosen + (key.name === "up" ? length - 1 : 1)) % length;
      return true;
    }
    const next = editInput(this.#input, key, action);
    if (next && next.text !== this.#input.text) this.#chosen = 0;
    this.#input = next ?? this.#input;
    return true;
  }

  /** The list for the footer, with at most `most` items, and the filter below it. */
  lines(style: TerminalStyle, most: number): string[] {
    const { title, items, alternative } = this.#options;
    const { ansi } = style;
    const matches = this.#matches();
    const from = Math.max(0, Math.min(this.#chosen - Math.floor(most / 2), matches.length - most));
    const visible = matches.slice(from, from + most);
    const longest = Math.min(MAX_LABEL, Math.max(0, ...visible.map(({ label }) => label.length)));
    const drawn = visible.map(({ label, detail }, i) => {
      const line = truncate(`${label.padEnd(longest)}  ${detail}`.trimEnd(), contentWidth(style) - 4);
      return from + i === this.#chosen ? `  ${ansi.bold(`› ${line}`)}` : `    ${ansi.dim(line)}`;
    });
    const count = matches.length === items.length ? `${items.length}` : `${matches.length} of ${items.length}`;
    const keys = ["Enter picks", ...(alternative ? [`Alt+Enter ${alternative.label}`] : []), "Esc closes"].join(" · ");
    return [
      ansi.bold(title),
      ...(drawn.length === 0 ? [`    ${ansi.dim("nothing matches")}`] : drawn),
      truncate(`  filter: ${this.#input.text}▏ ${ansi.dim(`${count} · ${keys}`)}`, contentWidth(style)),
    ];
  }

  #matches(): PickerItem<T>[] {
    const words = this.#input.text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#options.items.filter(({ label, detail }) => {
      const text = `${label} ${detail}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }
}

const MAX_LABEL = 48;
