import { formatCount } from "@baton/core/text/format";
import type { KeyAction } from "@baton/core/terminal/key-actions";
import { insert, type InputBuffer } from "./input-buffer.ts";
import type { Key } from "./key-decoder.ts";

/** A longer paste would fill the screen, so the line shows a name for it. */
const MAX_LINES = 10;
const MAX_CHARACTERS = 2_000;

/** The long pastes of a prompt, under the names that the line shows. A name that the user has changed is only text. */
export class FoldedPastes {
  readonly #texts = new Map<string, string>();

  /** Folds a long paste, and deletes the whole name of a paste at once. Undefined for every other key. */
  edit(input: InputBuffer, { name, text = "" }: Key, action?: KeyAction): InputBuffer | undefined {
    if (action === "deleteLeft") return this.#deleteName(input);
    if (name !== "paste") return undefined;
    const label = this.fold(text);
    return label === text ? undefined : insert(input, label);
  }

  /** The name of a long text, which stands for it in the line. A short text stays as it is. */
  fold(text: string): string {
    const lines = text.replace(/\n$/, "").split("\n").length;
    if (lines <= MAX_LINES && text.length <= MAX_CHARACTERS) return text;
    const size = lines > MAX_LINES ? formatCount(lines, "line") : formatCount(text.length, "character");
    const label = `[Paste ${this.#texts.size + 1}: ${size}]`;
    this.#texts.set(label, text);
    return label;
  }

  /** The text with every name replaced by its paste. */
  expand(text: string): string {
    let expanded = text;
    for (const [label, pasted] of this.#texts) expanded = expanded.replaceAll(label, () => pasted);
    return expanded;
  }

  clear(): void {
    this.#texts.clear();
  }

  #deleteName({ text, cursor }: InputBuffer): InputBuffer | undefined {
    const label = [...this.#texts.keys()].find((each) => text.slice(0, cursor).endsWith(each));
    if (label === undefined) return undefined;
    return { text: text.slice(0, cursor - label.length) + text.slice(cursor), cursor: cursor - label.length };
  }
}
