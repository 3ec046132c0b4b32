import type { FileCandidate } from "./find-candidates.ts";
import type { RankedFile } from "./find-excerpts.ts";
import type { MappedFile } from "./repository-map.ts";

/** The index of a folder: its file, and the folder as a real path. */
export type IndexLocation = { file: string; root: string };

/** A request of the daemon to the process that owns the indexes. `below`: only this folder or file. */
export type IndexRequest = IndexLocation &
  (
    | { type: "update"; paths: readonly string[] }
    | { type: "candidates"; query: string; below: string | undefined; most: number }
    | { type: "excerpts"; candidates: readonly FileCandidate[]; words: readonly (readonly [word: string, weight: number])[]; most: number }
    | { type: "map"; query: string; most: number }
  );

export type IndexResults = {
  update: { files: number };
  candidates: { candidates: FileCandidate[]; words: [word: string, weight: number][] };
  excerpts: RankedFile[];
  map: MappedFile[];
};

/** A message of the process. A request gets any number of messages about its progress and then one result or problem. */
export type IndexReply =
  | { id: number; progress: { done: number; total: number } }
  | { id: number; result: IndexResults[keyof IndexResults] }
  | { id: number; problem: string };
