import type { GateFindings } from "../gate-findings.ts";
import type { NamedPath } from "../programs/program-types.ts";
import { partOf } from "../words/word.ts";

/** Programs that make each folder of a path. */
const MAKES_FOLDERS = /^g?(mkdir|install)$/;
/** The most times that a path may turn back. */
const MAX_TURNS = 10;

/** Returns the folders in front of each `..` in a path. `mkdir -p a/b/../c` makes `a/b` as well. */
export function foldersMadeBefore(base: string, named: NamedPath, { doubts }: GateFindings): NamedPath[] {
  if (!MAKES_FOLDERS.test(base)) return [];
  const { text } = named.word;
  const turns = [...text.matchAll(/\/\.\.(?=\/|$)/g)];
  if (turns.length > MAX_TURNS) {
    doubts.add("names more folders than can be judged");
    return [];
  }
  return turns.map(({ index }) => ({ ...named, word: partOf(named.word, text.slice(0, index)) }));
}
