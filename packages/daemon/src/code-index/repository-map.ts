import type { IndexEntry } from "./indexed-files.ts";
import { isTest, type FileCandidate } from "./find-candidates.ts";
import { rankFiles } from "./rank-files.ts";

/** A file of the map, with the symbols that it defines. */
export type MappedFile = { path: string; names: readonly string[] };

const MAX_NAMES = 6;
/** Tests and documents refer to the code, but a reader looks for the code. */
const TEST_WEIGHT = 0.2;
const MAX_CANDIDATES = 100;
const SHARPNESS = 4;

/**
 * The files of an index that others refer to most, the most important first. `candidates`: the files that may answer a question. Then the
 * files around them are important.
 */
export function importantFiles(
  entries: readonly (IndexEntry | undefined)[],
  { most, candidates }: { most: number; candidates: readonly FileCandidate[] },
): MappedFile[] {
  const alive = (link: number) => entries[link] !== undefined;
  const links = entries.map((entry) => entry?.links?.filter(alive) ?? []);
  const ranks = rankFiles(links, relevanceOf(entries, candidates));
  return entries
    .flatMap((entry, number) => {
      if (!entry || entry.names.length === 0) return [];
      return [{ entry, rank: (ranks[number] ?? 0) * (isTest(entry.path) ? TEST_WEIGHT : 1) }];
    })
    .toSorted((a, b) => b.rank - a.rank || (a.entry.path < b.entry.path ? -1 : 1))
    .slice(0, most)
    .map(({ entry: { path, names } }) => ({ path, names: names.filter((name) => name !== "constructor").slice(0, MAX_NAMES) }));
}

/** Only the best candidates count, and the better ones much more. */
function relevanceOf(entries: readonly (IndexEntry | undefined)[], candidates: readonly FileCandidate[]): Float64Array {
  const relevance = new Float64Array(entries.length);
  const scores = new Map(candidates.slice(0, MAX_CANDIDATES).map(({ path, score }) => [path, score]));
  const best = candidates[0]?.score ?? 1;
  entries.forEach((entry, number) => {
    if (entry) relevance[number] = ((scores.get(entry.path) ?? 0) / best) ** SHARPNESS;
  });
  return relevance;
}
