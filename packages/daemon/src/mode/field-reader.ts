import { toPlainValue, type MapEntry, type MapNode, type ModeSyntaxNode } from "./parse/syntax-node.ts";
import type { ReadContext } from "./mode-read-context.ts";

/** Reads the fields of one definition by their names, reports wrong types, and knows the fields that were never read. */
export class FieldReader {
  readonly #node: MapNode;
  readonly #reading: ReadContext;
  readonly #asked = new Set<string>();

  constructor(node: MapNode, reading: ReadContext) {
    this.#node = node;
    this.#reading = reading;
    const seen = new Set<string>();
    for (const { key, at } of node.entries) {
      if (seen.has(key)) reading.error(at, "duplicate_field", `The field ${key} appears twice.`, "Keep one of them.");
      seen.add(key);
    }
  }

  get at(): number {
    return this.#node.at;
  }

  /** The first of these fields that has a value. */
  entry(...names: string[]): MapEntry | undefined {
    for (const name of names) this.#asked.add(name);
    const found = names.map((name) => this.#node.entries.find(({ key }) => key === name));
    return found.find((each) => each !== undefined && !isNothing(each.value));
  }

  text(...names: string[]): string | undefined {
    return this.#typed(names, "a text", (node) => (node.kind === "scalar" && node.value !== null ? String(node.value) : undefined));
  }

  /** A text that must not be blank. It must be present unless `otherwise` is given. */
  filled(names: string[], what: { otherwise?: string; fix: string }): string | undefined {
    const [name = ""] = names;
    const found = this.#node.entries.find(({ key }) => names.includes(key));
    const text = this.text(...names);
    if (text !== undefined && text.trim() !== "") return text;
    if (!found && what.otherwise !== undefined) return what.otherwise;
    if (!found) this.#reading.error(this.at, "missing_field", `The field ${name} is missing.`, what.fix);
    else if (text !== undefined || isNothing(found.value))
      this.#reading.error(found.value.at, "blank_field", `The field ${found.key} is blank.`, what.fix);
    return undefined;
  }

  number(...names: string[]): number | undefined {
    return this.#typed(names, "a number", (node) => (node.kind === "scalar" && typeof node.value === "number" ? node.value : undefined));
  }

  flag(...names: string[]): boolean | undefined {
    return this.#typed(names, "true or false", (node) =>
      node.kind === "scalar" && typeof node.value === "boolean" ? node.value : undefined,
    );
  }

  /** A list of texts. A single text counts as a list; `separator` splits it. */
  texts(names: string[], separator?: string): { at: number; text: string }[] | undefined {
    return this.#typed(names, "a list of texts", (node) => {
      if (node.kind === "map") return undefined;
      const items = node.kind === "list" ? node.items : [node];
      if (!items.every((item) => item.kind === "scalar")) return undefined;
      const texts = items.map((item) => ({ at: item.at, text: item.kind === "scalar" ? String(item.value ?? "") : "" }));
      return texts.flatMap(({ at, text }) =>
        (separator === undefined ? [text] : text.split(separator)).map((part) => ({ at, text: part.trim() })),
      );
    })?.filter(({ text }) => text !== "");
  }

  map(...names: string[]): MapNode | undefined {
    return this.#typed(names, "a table of fields", (node) => (node.kind === "map" ? node : undefined));
  }

  /** Marks fields as known that have no meaning here. */
  ignore(...names: string[]): void {
    for (const name of names) this.#asked.add(name);
  }

  /** The fields that were never read. */
  rest(): MapEntry[] {
    return this.#node.entries.filter(({ key }) => !this.#asked.has(key));
  }

  #typed<T>(names: string[], what: string, read: (node: ModeSyntaxNode) => T | undefined): T | undefined {
    const found = this.entry(...names);
    if (!found) return undefined;
    const value = read(found.value);
    if (value === undefined)
      this.#reading.error(found.value.at, "wrong_type", `The field ${found.key} must be ${what}, but is ${describe(found.value)}.`);
    return value;
  }
}

const isNothing = (node: ModeSyntaxNode): boolean => node.kind === "scalar" && node.value === null;

function describe(node: ModeSyntaxNode): string {
  const value = toPlainValue(node);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a table" : JSON.stringify(value).slice(0, 60);
}
