import { normalizeWith, type TextNormalizer } from "./normalized-text.ts";

/** Characters that models and editors write in match of plain ones, by the plain one. */
const PLAIN: Readonly<Record<string, string>> = {
  "'": "\u2018\u2019\u201a\u201b\u2032",
  '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
  "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
  " ": "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
  "...": "\u2026",
  "": "\u200b\u2060\ufeff",
};

const plainOf: ReadonlyMap<string, string> = new Map(
  Object.entries(PLAIN).flatMap(([plain, fancy]) => Array.from(fancy, (character) => [character, plain] as const)),
);

const FANCY = `[${[...plainOf.keys()].join("")}]`;
const LINE_END = "\\r\\n";
const TRAILING = "(?<![ \\t])[ \\t]+(?=\\r?\\n|$)";
const COMPOSED = "\\p{L}\\p{M}+";

function simplify(found: string): string {
  if (found === "\r\n") return "\n";
  const plain = plainOf.get(found);
  if (plain !== undefined) return plain;
  return /^[ \t]/.test(found) ? "" : found.normalize("NFC");
}

/** Windows line ends count as `\n`. */
export const foldLineEnds: TextNormalizer = normalizeWith(new RegExp(LINE_END, "g"), simplify);

/** Blanks at the ends of lines do not count. */
export const foldTrailingBlanks: TextNormalizer = normalizeWith(new RegExp(`${TRAILING}|${LINE_END}`, "g"), simplify);

/** Typographic quotes, dashes and blanks count as plain ones, and accents in two characters as one. */
export const foldTypography: TextNormalizer = normalizeWith(new RegExp(`${TRAILING}|${LINE_END}|${FANCY}|${COMPOSED}`, "gu"), simplify);

/**
 * The plain characters that a file has where a model wrote typographic ones, if that is the same at each match. The two texts are equal
 * apart from their spelling.
 */
export function learnPlainSpelling(written: string, inFile: string): (text: string) => string {
  const folded = foldTypography(written);
  const other = foldTypography(inFile);
  const learned = new Map<string, string | undefined>();
  for (let i = 0; i < folded.text.length; i++) {
    const character = written.slice(folded.at(i), folded.at(i + 1));
    if (!plainOf.has(character)) continue;
    const plain = inFile.slice(other.at(i), other.at(i + 1));
    learned.set(character, learned.has(character) && learned.get(character) !== plain ? undefined : plain);
  }
  const isPlain = (plain: string | undefined) => plain !== undefined && /^[ -~]$/.test(plain);
  return (text) => Array.from(text, (character) => (isPlain(learned.get(character)) ? (learned.get(character) ?? "") : character)).join("");
}
