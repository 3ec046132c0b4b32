import type { IndexedFiles } from "./indexed-files.ts";
import { partsOfName, stemsOf } from "./analysis/code-words.ts";

/** A file that may answer a question. */
export type FileCandidate = { path: string; score: number };

/** The words of a question with their weight: a rare word weighs more. */
export type WeightedWords = ReadonlyMap<string, number>;

const MAX_WORDS = 40;
/** A word in a symbol or in the path tells more than one somewhere in the text. */
const NAME_WEIGHT = 1.2;
const FILE_WEIGHT = 1.5;
const FOLDER_WEIGHT = 0.5;
/** The question has the name of a symbol as it is written. */
const WHOLE_NAME = 6;
/** Words in short files weigh more. This part does not depend on the length. */
const LENGTH_FREE = 0.6;
/** Tests repeat the words of the code that they test. */
const TEST_WEIGHT = 0.8;

/** The words of symbols and paths of an index. It has to be made again after a change. */
export type NameIndex = {
  names: ReadonlyMap<string, readonly number[]>;
  whole: ReadonlyMap<string, readonly number[]>;
  files: ReadonlyMap<string, readonly number[]>;
  folders: ReadonlyMap<string, readonly number[]>;
  docs: ReadonlyMap<number, number>;
  averageSize: number;
};

export function indexNames({ entries, size }: Pick<IndexedFiles, "entries" | "size">): NameIndex {
  const [names, whole, files, folders] = [new Map(), new Map(), new Map(), new Map()] as Map<string, number[]>[] as [
    Places,
    Places,
    Places,
    Places,
  ];
  const docs = new Map<number, number>();
  let bytes = 0;
  entries.forEach((entry, number) => {
    if (!entry) return;
    docs.set(entry.doc, number);
    bytes += entry.size;
    for (const name of entry.names) add(whole, name.toLowerCase(), number);
    for (const word of stemsOf(entry.names.join(" "))) add(names, word, number);
    const cut = entry.path.lastIndexOf("/");
    for (const word of stemsOf(entry.path.slice(cut + 1))) add(files, word, number);
    for (const word of stemsOf(entry.path.slice(0, Math.max(0, cut)))) add(folders, word, number);
  });
  return { names, whole, files, folders, docs, averageSize: bytes / Math.max(1, size) };
}

type Places = Map<string, number[]>;

function add(places: Places, word: string, number: number): void {
  const known = places.get(word);
  if (known) known.push(number);
  else places.set(word, [number]);
}

/**
 * Ranks files by BM25 over the words of their text, their symbols and their path. The index does not count how often a word occurs in a
 * file; `excerpts` does.
 */
export function findCandidates(
  query: string,
  { catalog, find }: { catalog: Pick<IndexedFiles, "entries" | "size">; find: (word: string) => readonly number[] },
  { names, whole, files, folders, docs, averageSize }: NameIndex,
): { candidates: FileCandidate[]; words: WeightedWords } {
  const { entries, size: count } = catalog;
  const scores = new Float64Array(entries.length);
  const words = new Map<string, number>();
  const lift = (numbers: readonly number[] | undefined, weight: number) => {
    for (const number of numbers ?? []) scores[number] = (scores[number] ?? 0) + weight;
  };
  for (const word of [...stemsOf(query)].slice(0, MAX_WORDS)) {
    const inNames = names.get(word) ?? [];
    const inFiles = files.get(word) ?? [];
    // The rows of words leave out those that are in a symbol or in the path of their file.
    const found = new Set([...find(word).flatMap((doc) => docs.get(doc) ?? []), ...inNames, ...inFiles]);
    const weight = rarity(found.size, count);
    words.set(word, weight);
    for (const number of found) {
      const length = (entries[number]?.size ?? averageSize) / averageSize;
      scores[number] = (scores[number] ?? 0) + weight / (LENGTH_FREE + (1 - LENGTH_FREE) * Math.min(8, length));
    }
    lift(inNames, weight * NAME_WEIGHT);
    lift(inFiles, weight * FILE_WEIGHT);
    lift(folders.get(word), weight * FOLDER_WEIGHT);
  }
  for (const name of wholeNames(query)) {
    const defined = whole.get(name) ?? [];
    lift(defined, WHOLE_NAME / Math.sqrt(Math.max(1, defined.length)));
  }
  const candidates: FileCandidate[] = [];
  entries.forEach((entry, number) => {
    const score = (scores[number] ?? 0) * (entry && isTest(entry.path) ? TEST_WEIGHT : 1);
    if (entry && score > 0) candidates.push({ path: entry.path, score });
  });
  return { candidates: candidates.toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)), words };
}

/** How much a word tells that this many of all files contain, as in BM25. */
const rarity = (files: number, count: number): number => Math.log(1 + (count - files + 0.5) / (files + 0.5));

/** Names of a question that are more than a word of English, in lower case. */
const wholeNames = (query: string): string[] =>
  [...new Set(query.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])]
    .filter((name) => partsOfName(name).length > 1 || /[\p{Lu}_\d$]/u.test(name.slice(1)))
    .map((name) => name.toLowerCase());

export const isTest = (file: string): boolean => /(^|\/)(__tests__|tests?|spec)\/|[._-](test|spec)\.[^/]+$|(^|\/)test_[^/]+$/.test(file);
