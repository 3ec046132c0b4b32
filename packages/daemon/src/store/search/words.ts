/** A word of a text as the index stores it, and its place in the text. */
export type IndexedWord = { word: string; start: number; end: number };

/** Longer words are mostly hashes and encoded data. Their beginning is enough to find them. */
const MAX_WORD = 40;

/** Characters of scripts that put no spaces between words. Each of them is a word. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const LETTERS = /[\p{L}\p{N}]/u;
const OTHERS = /[^\p{L}\p{N}]/gu;
const ASCII = /^[A-Za-z0-9]*$/;

/** The words of a text in order, without case and accents. The index, the query and the snippet use the same words. */
export function splitIntoWords(text: string): IndexedWord[] {
  const found: IndexedWord[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (ASCII.test(run)) found.push({ word: fold(run), start: index, end: index + run.length });
    else found.push(...splitRun(run, index));
  }
  return found;
}

/** The words of a text, each once. Most texts are ASCII, which is much faster. */
export function uniqueWords(text: string): Set<string> {
  const runs = isAscii(text) ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? []) : splitIntoWords(text).map(({ word }) => word);
  return new Set(runs.map((word) => word.slice(0, MAX_WORD)));
}

// oxlint-disable-next-line no-control-regex
export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

function splitRun(run: string, offset: number): IndexedWord[] {
  const parts: IndexedWord[] = [];
  let [pending, start, at] = ["", offset, offset];
  const flush = (end: number) => {
    if (LETTERS.test(pending)) parts.push({ word: fold(pending), start, end });
    pending = "";
  };
  for (const character of run) {
    if (WITHOUT_SPACES.test(character)) {
      flush(at);
      parts.push({ word: fold(character), start: at, end: at + character.length });
    } else {
      if (pending === "") start = at;
      pending += character;
    }
    at += character.length;
  }
  flush(at);
  return parts;
}

const fold = (run: string): string =>
  (ASCII.test(run) ? run.toLowerCase() : run.normalize("NFKD").toLowerCase().replace(OTHERS, "")).slice(0, MAX_WORD).toWellFormed();

/** Begins a word that stands for a file. No word of a text contains it, because it is neither a letter nor a digit. */
const FILE = "\u{E000}";
const SEPARATOR = "\u{E001}";
const MAX_FOLDERS = 8;

/** A word for each way to name a file: `cart.ts`, `src/cart.ts`, `shop/src/cart.ts`. */
export function fileWords(path: string): string[] {
  const parts = path
    .split(/[/\\]/)
    .filter((part) => part !== "" && part !== ".")
    .slice(-MAX_FOLDERS);
  return parts.map((_, i) => fileWord(parts.slice(i)));
}

/** The word of a file that is named by the end of its path. Undefined if the path has no name. */
export const wordOfFile = (path: string): string | undefined => fileWords(path)[0];

const fileWord = (parts: readonly string[]): string =>
  FILE +
  parts
    .map((part) =>
      splitIntoWords(part)
        .map(({ word }) => word)
        .join(SEPARATOR),
    )
    .join(SEPARATOR + SEPARATOR);
