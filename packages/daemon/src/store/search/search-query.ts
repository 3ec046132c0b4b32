import { isAscii, splitIntoWords, type IndexedWord } from "./words.ts";

/** Words that must follow each other. The last one may be the beginning of a longer word. */
export type SearchPhrase = readonly string[];

/** A query as terms, all of which must occur in one text. */
type SearchQuery = { terms: readonly SearchPhrase[] } | { problem: string };

const MAX_CHARACTERS = 1_000;
const MAX_WORDS = 32;
/** A shorter word is only found as a whole, because too many words begin with it. */
const MIN_PREFIX = 3;

/** Reads the text of a user. Text in quotation marks is one term, and so is everything between two spaces. Nothing else is syntax. */
export function parseQuery(text: string): SearchQuery {
  if (text.length > MAX_CHARACTERS)
    return { problem: `The search has ${text.length} characters. It may have at most ${MAX_CHARACTERS}. Search for a few words.` };
  const terms = [...text.matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([whole, quoted]) => splitIntoWords(quoted ?? whole).map(({ word }) => word))
    .filter((term) => term.length > 0);
  const count = terms.reduce((sum, term) => sum + term.length, 0);
  if (count === 0) return { problem: "The search contains no letters and no digits. Search for a word, a command or a path." };
  if (count > MAX_WORDS) return { problem: `The search has ${count} words. It may have at most ${MAX_WORDS}.` };
  return { terms };
}

/** The query in the language of FTS5. Words contain letters and digits only, so quoting them is safe. */
export const toMatch = (terms: readonly SearchPhrase[]): string =>
  terms.flatMap((term) => term.map((word, i) => `"${word}"${isPrefix(term, i) ? " *" : ""}`)).join(" AND ");

const isPrefix = (term: SearchPhrase, i: number): boolean => i === term.length - 1 && (term[i]?.length ?? 0) >= MIN_PREFIX;

/** False if a term surely does not occur in a text. This is much faster than looking for its places. */
export const mayOccur = (term: SearchPhrase, text: string): boolean => !isAscii(text) || sequence(term).test(text);

/** The words of a term in their order. They contain letters and digits only, and may be cut off. */
const sequence = (term: SearchPhrase): RegExp => new RegExp(term.join("[A-Za-z0-9]*[^A-Za-z0-9]+"), "i");

/** The places where a term occurs. The index does not know which words follow each other, so this decides. */
export function occurrences(term: SearchPhrase, text: readonly IndexedWord[]): { start: number; end: number }[] {
  return text.flatMap(({ start }, at) => {
    const fits = term.every((word, i) => {
      const there = text[at + i]?.word;
      return there !== undefined && (isPrefix(term, i) ? there.startsWith(word) : there === word);
    });
    return fits ? [{ start, end: text[at + term.length - 1]?.end ?? start }] : [];
  });
}
