import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * A file of the index. `modified`: in epoch milliseconds. `doc`: the row of its words. `names`: the symbols that it defines. `links`: the
 * numbers of the files that it refers to; undefined if they are not known yet.
 */
export type IndexEntry = {
  path: string;
  size: number;
  modified: number;
  doc: number;
  names: readonly string[];
  links: readonly number[] | undefined;
};

/** The number of files that are stored together. Together they take a third of the space. */
const BLOCK = 256;

type Stored = {
  first: number;
  paths: string[];
  sizes: number[];
  since: number;
  modified: number[];
  docs: number[];
  names: string[];
  links: string[];
};

/** The files of an index by their numbers. A number is never used again, so a link to a removed file leads nowhere. */
export class IndexedFiles {
  #entries: (IndexEntry | undefined)[] = [];
  #byPath = new Map<string, number>();
  readonly #changed = new Set<number>();
  #nextDoc = 1;

  /** All entries by number. Undefined for a removed file. */
  get entries(): readonly (IndexEntry | undefined)[] {
    return this.#entries;
  }

  get size(): number {
    return this.#byPath.size;
  }

  /** The rows of words that no file has anymore, as a share of all rows. */
  get waste(): number {
    return this.#nextDoc === 1 ? 0 : 1 - this.size / (this.#nextDoc - 1);
  }

  numberOf(path: string): number | undefined {
    return this.#byPath.get(path);
  }

  at(path: string): IndexEntry | undefined {
    const number = this.#byPath.get(path);
    return number === undefined ? undefined : this.#entries[number];
  }

  paths(): IterableIterator<string> {
    return this.#byPath.keys();
  }

  nextDoc(): number {
    return this.#nextDoc++;
  }

  set(entry: IndexEntry): void {
    const number = this.#byPath.get(entry.path) ?? this.#entries.length;
    this.#entries[number] = entry;
    this.#byPath.set(entry.path, number);
    this.#changed.add(Math.trunc(number / BLOCK));
  }

  remove(path: string): void {
    const number = this.#byPath.get(path);
    if (number === undefined) return;
    this.#entries[number] = undefined;
    this.#byPath.delete(path);
    this.#changed.add(Math.trunc(number / BLOCK));
  }

  /** The blocks that changed since the last call, as they are stored. */
  takeChanged(): [block: number, data: Buffer][] {
    const blocks = [...this.#changed];
    this.#changed.clear();
    return blocks.map((block) => [block, this.#pack(block)]);
  }

  /** Adds a stored block. Throws if it is damaged. */
  load(block: number, data: Uint8Array): void {
    const { first, paths, sizes, since, modified, docs, names, links } = JSON.parse(inflateRawSync(data).toString()) as Stored;
    paths.forEach((path, i) => {
      const number = block * BLOCK + i;
      if (path === "") return;
      this.#entries[number] = {
        path,
        size: sizes[i] ?? 0,
        modified: since + (modified[i] ?? 0),
        doc: first + (docs[i] ?? 0),
        names: split(names[i]),
        links: links[i] === "?" ? undefined : split(links[i]).map((link) => number + Number(link)),
      };
      this.#byPath.set(path, number);
    });
  }

  /** Sets the number of the last row of words, after all blocks are loaded. */
  loaded(lastDoc: number): void {
    this.#nextDoc = lastDoc + 1;
    for (let i = 0; i < this.#entries.length; i++) this.#entries[i] ??= undefined; // an array without holes
  }

  /** Small differences instead of large numbers, because they take less space. */
  #pack(block: number): Buffer {
    const from = block * BLOCK;
    const slots = Array.from({ length: Math.min(BLOCK, this.#entries.length - from) }, (_, i) => this.#entries[from + i]);
    const known = slots.filter((entry) => entry !== undefined);
    const since = Math.min(...known.map(({ modified }) => modified), Number.MAX_SAFE_INTEGER);
    const first = Math.min(...known.map(({ doc }) => doc), Number.MAX_SAFE_INTEGER);
    const stored: Stored = {
      first,
      paths: slots.map((entry) => entry?.path ?? ""),
      sizes: slots.map((entry) => entry?.size ?? 0),
      since,
      modified: slots.map((entry) => (entry ? entry.modified - since : 0)),
      docs: slots.map((entry) => (entry ? entry.doc - first : 0)),
      names: slots.map((entry) => entry?.names.join(" ") ?? ""),
      links: slots.map((entry, i) => entry?.links?.map((link) => link - from - i).join(" ") ?? (entry ? "?" : "")),
    };
    return deflateRawSync(JSON.stringify(stored), { level: 9 });
  }
}

const split = (text: string | undefined): string[] => (text === undefined || text === "" ? [] : text.split(" "));
