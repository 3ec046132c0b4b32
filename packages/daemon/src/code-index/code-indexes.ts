import { createHash } from "node:crypto";
import path from "node:path";
import type { RankedFile } from "./find-excerpts.ts";
import { IndexProcessEnded, type IndexProcess } from "./index-process.ts";
import { repositoryMapText } from "./repository-map-text.ts";
import type { RerankFiles } from "./rerank-files.ts";
import type { IndexLocation } from "./index-process-messages.ts";

/** The files that a search found. `notes`: why files may be missing, as sentences. */
export type CodeSearchResult = { found: RankedFile[]; notes: string[] };

/** The indexes of the code of workspaces. */
export type CodeIndexes = {
  /** Brings the index of a folder that may have a map up to date in the background. */
  prepare: (workspace: string) => void;
  /** Searches files that `mayShow` allows. `below`: only this folder or file, relative to the workspace. Undefined: everywhere. */
  search: (
    workspace: string,
    query: { query: string; below: string | undefined },
    mayShow: (relative: string) => boolean,
    signal: AbortSignal,
  ) => Promise<CodeSearchResult | { fault: string }>;
  /** The files that matter for a question, as a text of at most so many tokens. Empty if the index is not ready in time. */
  map: (workspace: string, about: { query: string; tokens: number }, mayShow: (relative: string) => boolean) => Promise<string>;
  close: () => void;
};

type CodeIndexOptions = {
  /** The folder of the indexes. */
  folder: string;
  process: IndexProcess;
  /** The files of a workspace that are neither ignored nor hidden by rules. `capped`: there are more. */
  list: (workspace: string) => Promise<{ files: string[]; capped: boolean } | { problem: string }>;
  /** Orders results by their meaning. Undefined if the user configured no embedding model. */
  reorder?: () => RerankFiles | undefined;
  now: () => number;
  report: (problem: string) => void;
  /** Milliseconds that a search waits for changes to be indexed. */
  waitMs?: number;
};

type Workspace = {
  updating: Promise<void> | undefined;
  updatedAt: number;
  done: number;
  total: number;
  /** True if the folder is too small for a map, and no search has asked for its index. */
  small: boolean;
  /** True as soon as the index was complete once. */
  complete: boolean;
  capped: boolean;
  problem: string | undefined;
  crashes: number;
};

/** A search looks at the files again after this time. */
const FRESH_MS = 500;
/** A search answers from the files that are indexed so far after this time. */
const WAIT_MS = 5_000;
/** The first model request of a session waits this long for the map. */
const MAP_WAIT_MS = 2_000;
const MAX_CRASHES = 3;
/** An agent sees all files of a smaller folder with one call, so it needs no map. */
const MIN_MAPPED = 100;
const MAX_CANDIDATES = 400;
/** The candidates whose text is read. */
const MAX_READ = 40;
const MAX_FOUND = 10;
/** More files than any budget of tokens can name. */
const MAX_MAPPED = 2_000;

export function openCodeIndexes({ folder, process, list, reorder, now, report, waitMs = WAIT_MS }: CodeIndexOptions): CodeIndexes {
  const workspaces = new Map<string, Workspace>();
  const indexLocation = (workspace: string): IndexLocation => ({
    file: path.join(folder, `${createHash("sha256").update(workspace).digest("hex").slice(0, 32)}.db`),
    root: workspace,
  });

  async function update(workspace: string, state: Workspace, wanted: boolean): Promise<void> {
    const listed = await list(workspace);
    if ("problem" in listed) throw new Error(listed.problem);
    state.capped = listed.capped;
    state.small = !wanted && !state.complete && listed.files.length < MIN_MAPPED;
    if (state.small) return;
    await process.ask({ type: "update", ...indexLocation(workspace), paths: listed.files }, ({ done, total }) => {
      state.done = done;
      state.total = total;
    });
    state.complete = true;
    state.problem = undefined;
    state.crashes = 0;
  }

  /** `wanted`: a search needs the index, however small the folder is. `maxAgeMs`: an older index is brought up to date. */
  function refresh(workspace: string, { wanted, maxAgeMs }: { wanted: boolean; maxAgeMs: number }): Workspace {
    const state = workspaces.get(workspace) ?? newWorkspace();
    workspaces.set(workspace, state);
    const isFresh = now() - state.updatedAt < maxAgeMs && !(wanted && state.small);
    if (state.updating || isFresh || state.crashes >= MAX_CRASHES) return state;
    state.updating = update(workspace, state, wanted)
      .catch((error: unknown) => {
        if (error instanceof IndexProcessEnded) state.crashes++;
        const problem =
          state.crashes >= MAX_CRASHES
            ? `The process that indexes ${workspace} ended ${MAX_CRASHES} times. Baton tries again after its next start.`
            : error instanceof Error
              ? error.message
              : String(error);
        if (problem !== state.problem) report(`the code of ${workspace} could not be indexed: ${problem}`);
        state.problem = problem;
      })
      .finally(() => {
        state.updating = undefined;
        state.updatedAt = now();
      });
    return state;
  }

  const notesOf = ({ updating, complete, done, total, problem, capped }: Workspace): string[] => [
    ...(updating && !complete
      ? [`The index is being built${total > 0 ? ` (${Math.floor((done / total) * 100)} %)` : ""}, so files may be missing.`]
      : []),
    ...(problem === undefined ? [] : [problem]),
    ...(capped ? ["The folder has too many files for the index, so files are missing."] : []),
  ];

  return {
    prepare: (workspace) => void refresh(workspace, { wanted: false, maxAgeMs: FRESH_MS }),

    async search(workspace, { query, below }, mayShow, signal) {
      const state = refresh(workspace, { wanted: true, maxAgeMs: FRESH_MS });
      await settledWithin(state.updating, waitMs, signal);
      if (state.small) await settledWithin(refresh(workspace, { wanted: true, maxAgeMs: FRESH_MS }).updating, waitMs, signal);
      signal.throwIfAborted();
      try {
        const place = indexLocation(workspace);
        const { candidates, words } = await process.ask({ type: "candidates", ...place, query, below, most: MAX_CANDIDATES });
        const shown = candidates.filter(({ path: file }) => mayShow(file));
        const byMeaning = reorder?.();
        const most = byMeaning ? MAX_READ : MAX_FOUND;
        const read = await process.ask({ type: "excerpts", ...place, candidates: shown.slice(0, MAX_READ), words, most });
        signal.throwIfAborted();
        const { found, note } = byMeaning ? await byMeaning(query, read, signal) : { found: read };
        signal.throwIfAborted();
        return {
          found: found.slice(0, MAX_FOUND),
          notes: [...notesOf(state), ...(note === undefined ? [] : [note])],
        };
      } catch (error) {
        signal.throwIfAborted();
        return { fault: error instanceof Error ? error.message : String(error) };
      }
    },

    async map(workspace, { query, tokens }, mayShow) {
      const state = refresh(workspace, { wanted: false, maxAgeMs: 0 });
      await settledWithin(state.updating, MAP_WAIT_MS);
      if (!state.complete) return "";
      try {
        const files = await process.ask({ type: "map", ...indexLocation(workspace), query, most: MAX_MAPPED });
        return repositoryMapText(
          files.filter(({ path: file }) => mayShow(file)),
          tokens,
        );
      } catch {
        return ""; // the next search reports the problem
      }
    },

    close: () => process.close(),
  };
}

const newWorkspace = (): Workspace => ({
  updating: undefined,
  updatedAt: Number.NEGATIVE_INFINITY,
  done: 0,
  total: 0,
  small: false,
  complete: false,
  capped: false,
  problem: undefined,
  crashes: 0,
});

/** Waits for work, but not longer than this. */
async function settledWithin(work: Promise<void> | undefined, ms: number, signal?: AbortSignal): Promise<void> {
  if (!work) return;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const timer = setTimeout(stop, ms);
  signal?.addEventListener("abort", () => stop(), { once: true });
  try {
    await Promise.race([work, stopped]);
  } finally {
    clearTimeout(timer);
  }
}
