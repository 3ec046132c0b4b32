import { realpathSync } from "node:fs";
import path from "node:path";
import type { FileCandidate, WeightedWords } from "./find-candidates.ts";
import { stemsOf } from "./analysis/code-words.ts";
import type { CodeSymbol, ParseSymbols } from "./analysis/parse-symbols.ts";
import { readSourceText } from "./analysis/read-source.ts";

/** A part of a file that answers a question. Lines count from 1. `symbol`: the definition around it. */
type Excerpt = { from: number; to: number; symbol: string | undefined; lines: string[] };
export type RankedFile = { path: string; score: number; excerpts: Excerpt[] };

const MAX_LINES = 8;
const MAX_CHARACTERS = 160;
const MAX_EXCERPTS = 2;
/** A second part of a file must tell this share of what the first one tells. */
const MIN_SECOND = 0.7;
/** The best part of a file counts as much as this share of the file's own score. */
const PART_WEIGHT = 0.8;
/** A repeated word adds up to this much of its weight. */
const REPEATED = 0.5;

/** Reads the candidates, ranks them by their text, and shows the best parts of the first `most`. */
export async function findExcerpts(
  candidates: readonly FileCandidate[],
  { root, words, parse, most }: { root: string; words: WeightedWords; parse: ParseSymbols; most: number },
): Promise<RankedFile[]> {
  const read = candidates.map(({ path: file, score }) => {
    const text = isLinked(root, file) ? "" : (readSourceText(path.join(root, file))?.text ?? "");
    const lines = text.split(/\r?\n/);
    const stems = lines.map((line) => [...stemsOf(line)].filter((word) => words.has(word)));
    const parts = bestParts(stems, words);
    return { path: file, text, lines, parts, score: score + (parts[0]?.score ?? 0) * PART_WEIGHT + repeated(stems, words) };
  });
  const best = read.toSorted((a, b) => b.score - a.score).slice(0, most);
  const found: RankedFile[] = [];
  for (const { path: file, score, text, lines, parts } of best) {
    const symbols = text === "" ? [] : await parse(file, text);
    const excerpts = parts.map(({ from, to }): Excerpt => {
      const shown = lines.slice(from, to + 1).map((line) => line.slice(0, MAX_CHARACTERS).trimEnd());
      return { from: from + 1, to: to + 1, symbol: symbolAround(symbols, from + 1, to + 1), lines: shown };
    });
    found.push({ path: file, score, excerpts: excerpts.toSorted((a, b) => a.from - b.from) });
  }
  return found;
}

type Part = { from: number; to: number; score: number };

/** The parts of a file with the most words of the question. */
function bestParts(stems: readonly (readonly string[])[], words: WeightedWords): Part[] {
  const hits = stems.flatMap((found, line) => (found.length > 0 ? [line] : []));
  const parts = hits.map((from) => {
    const seen = new Set<string>();
    let to = from;
    for (let line = from; line < Math.min(stems.length, from + MAX_LINES); line++)
      for (const word of stems[line] ?? []) {
        if (!seen.has(word)) to = line;
        seen.add(word);
      }
    return { from, to, score: sum(seen, words) };
  });
  const chosen: Part[] = [];
  for (const part of parts.toSorted((a, b) => b.score - a.score || a.from - b.from)) {
    if (chosen.length === MAX_EXCERPTS || part.score < (chosen[0]?.score ?? 0) * MIN_SECOND) break;
    if (chosen.every(({ from, to }) => part.to < from || part.from > to)) chosen.push(part);
  }
  return chosen;
}

/** The weight of words that occur in several lines. */
function repeated(stems: readonly (readonly string[])[], words: WeightedWords): number {
  const counts = new Map<string, number>();
  for (const word of stems.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].reduce((total, [word, count]) => total + (words.get(word) ?? 0) * REPEATED * (1 - 1 / count), 0);
}

const sum = (found: ReadonlySet<string>, words: WeightedWords): number =>
  [...found].reduce((total, word) => total + (words.get(word) ?? 0), 0);

/** The innermost definition that contains these lines, or the first one that begins in them. */
function symbolAround(symbols: readonly CodeSymbol[], from: number, to: number): string | undefined {
  const around = symbols.filter(({ line, endLine }) => line <= from && endLine >= to).toSorted((a, b) => b.depth - a.depth)[0];
  const inside = symbols.find(({ line }) => line >= from && line <= to);
  const symbol = around ?? inside;
  return symbol && `${symbol.kind} ${symbol.name}`;
}

/** Whether a file is behind a link. An agent may have replaced a folder since the index was made. */
function isLinked(root: string, file: string): boolean {
  try {
    return realpathSync(path.join(root, file)) !== path.join(realpathSync(root), file);
  } catch {
    return true; // it is gone
  }
}
