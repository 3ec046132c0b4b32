const MIN_WORD = 3;
const MAX_WORD = 30;

/** Names in code, and words of texts. A run of digits alone is not a word. */
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** The names in a text, each once and as written. */
export const namesIn = (text: string): Set<string> => new Set(text.match(NAME) ?? []);

/** The parts of a name, in lower case: `parseHTTPRequest_v2` gives parse, http, request. */
export const partsOfName = (name: string): string[] =>
  (name.match(/\p{Lu}+(?![\p{Ll}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{Lu}+/gu) ?? [])
    .map((part) => part.toLowerCase())
    .filter((part) => part.length >= MIN_WORD && part.length <= MAX_WORD && !COMMON.has(part));

/** The stems of the words in names, those in most names first. */
export function stemsOfNames(names: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const name of names) for (const word of cachedStems(name)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
}

const known = new Map<string, readonly string[]>();
const MAX_KNOWN = 100_000;

/** The same names occur in many files. */
function cachedStems(name: string): readonly string[] {
  const before = known.get(name);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const found = partsOfName(name).map(stem);
  known.set(name, found);
  return found;
}

/** The stems of the words of a text, each once. */
export const stemsOf = (text: string): Set<string> => new Set((text.match(NAME) ?? []).flatMap(cachedStems));

/** Words that are in almost every file or question, and so tell nothing. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "the and for with that this from are was not its has have can will into when then than only also each which where what how why who does did " +
    "import export const let var function return type async await new class extends string number boolean void null undefined true false else " +
    "public private static def self none elif"
  ).split(" "),
);

/** The stem of a word, so that `sessions` finds `session` and `caching` finds `cache`. */
export function stem(word: string): string {
  if (word.length < 5) return word.length === 4 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
  const base = word
    .replace(/ies$/, "y")
    .replace(/(ss|x|z|ch|sh)es$/, "$1")
    .replace(/([^sui])s$/, "$1")
    .replace(/(.{4})ing$/, "$1")
    .replace(/(.{4})(?:ed|er|or)$/, "$1")
    .replace(/(.{4})ion$/, "$1")
    .replace(/e$/, "");
  return base.replace(/([bdfgmnprt])\1$/, "$1");
}
