import path from "node:path";
import { namesIn, stemsOf, stemsOfNames } from "./code-words.ts";
import type { ParseSymbols } from "./parse-symbols.ts";
import { readSourceText } from "./read-source.ts";

/** The content of a file for the index. `names`: the symbols that it defines. `words`: the stems of its other words, separated by spaces. */
export type FileAnalysis = { path: string; size: number; modified: number; names: string[]; words: string };

/** Analyzes files of a folder and passes the results on in any order. Files that cannot be read have no result. */
export type AnalyzeFiles = (root: string, files: readonly string[], take: (found: readonly FileAnalysis[]) => void) => Promise<void>;

const MAX_NAMES = 40;
/** One word for so many bytes of a file, so that the index remains small. */
const BYTES_PER_WORD = 60;
const MIN_WORDS = 20;
const MAX_WORDS = 2_000;

/** Analyzes one file. Undefined if it cannot be read. */
export async function analyzeFile(root: string, file: string, parse: ParseSymbols): Promise<FileAnalysis | undefined> {
  const source = readSourceText(path.join(root, file));
  if (!source) return undefined;
  const { size, modified, text } = source;
  const symbols = text === "" ? [] : await parse(file, text);
  const names = [...new Set(symbols.toSorted((a, b) => a.depth - b.depth).map(({ name }) => name))].slice(0, MAX_NAMES);
  const most = Math.min(MAX_WORDS, Math.max(MIN_WORDS, Math.trunc(size / BYTES_PER_WORD)));
  const inNames = stemsOf(`${names.join(" ")} ${file}`); // these are found without a row of words
  const words = stemsOfNames(namesIn(text)).filter((word) => !inNames.has(word));
  return { path: file, size, modified, names, words: words.slice(0, most).join(" ") };
}
