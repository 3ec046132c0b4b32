import { availableParallelism, setPriority } from "node:os";
import path from "node:path";
import { analyzeInThreads } from "./analysis/analysis-threads.ts";
import { findCandidates, indexNames, type NameIndex } from "./find-candidates.ts";
import { findExcerpts } from "./find-excerpts.ts";
import { openIndexFile, removeIndexFile, type IndexFile } from "./index-database.ts";
import type { IndexLocation, IndexReply, IndexRequest, IndexResults } from "./index-process-messages.ts";
import { openParser } from "./analysis/parse-symbols.ts";
import { importantFiles } from "./repository-map.ts";
import { removeOldIndexes } from "./remove-old-indexes.ts";
import { updateIndex, type Progress } from "./update-index.ts";

/** The daemon and the commands of agents come first. A higher number would leave a search without time on a busy machine. */
const PRIORITY = 5;
const MAX_THREADS = 2;
/** An open index takes memory. */
const MAX_OPEN = 3;

function giveWay(): void {
  try {
    setPriority(PRIORITY);
  } catch {
    // not every system allows it
  }
}

/** `updating`: it must stay open. */
type Opened = IndexFile & { root: string; names: NameIndex | undefined; updating: boolean };

/** Serves the requests of the daemon, its parent, until that ends. */
export async function serveIndex(program: string): Promise<void> {
  giveWay();
  const parse = await openParser();
  const analyze = analyzeInThreads(program, Math.min(MAX_THREADS, availableParallelism()), parse);
  const opened = new Map<string, Opened>();
  let updates: Promise<unknown> = Promise.resolve();

  let removed = false;
  const removeOld = (folder: string) => {
    if (!removed) removeOldIndexes(folder, Date.now());
    removed = true;
  };

  const close = (file: string) => {
    opened.get(file)?.close();
    opened.delete(file);
  };
  const open = ({ file, root }: IndexLocation): Opened => {
    const known = opened.get(file);
    if (known?.isThere()) return known;
    close(file);
    removeOld(path.dirname(file));
    const idle = [...opened].filter(([, { updating }]) => !updating).map(([other]) => other);
    for (const other of idle.slice(0, Math.max(0, opened.size - MAX_OPEN + 1))) close(other);
    const index: Opened = { ...openIndexFile(file, root), root, names: undefined, updating: false };
    opened.set(file, index);
    return index;
  };

  const update = async (place: IndexLocation, paths: readonly string[], progress: Progress): Promise<IndexResults["update"]> => {
    try {
      const index = open(place);
      index.updating = true;
      const onProgress: Progress = (done, total) => {
        index.names = undefined;
        progress(done, total);
      };
      const updated = await updateIndex(index, { root: place.root, paths, analyze, progress: onProgress });
      index.updating = false;
      if ("rebuild" in updated || updated.changed > 0) index.names = undefined;
      if (!("rebuild" in updated)) return { files: index.catalog.size };
      close(place.file);
      removeIndexFile(place.file);
      return await update(place, paths, progress);
    } catch (error) {
      close(place.file); // the catalog in memory may be ahead of the file
      throw error;
    }
  };

  const candidatesOf = (index: Opened, query: string) => {
    index.names ??= indexNames(index.catalog);
    return findCandidates(query, index, index.names);
  };

  const answer = async (request: IndexRequest, progress: Progress): Promise<IndexResults[keyof IndexResults]> => {
    switch (request.type) {
      case "update": {
        const updated = updates.then(() => update(request, request.paths, progress));
        updates = updated.catch(() => undefined);
        return updated;
      }
      case "candidates": {
        const { candidates, words } = candidatesOf(open(request), request.query);
        const wanted = candidates.filter(({ path: file }) => isBelow(file, request.below)).slice(0, request.most);
        return { candidates: wanted, words: [...words] };
      }
      case "excerpts": {
        const { root, candidates, words, most } = request;
        return findExcerpts(candidates, { root, words: new Map(words), parse, most });
      }
      case "map": {
        const index = open(request);
        const { candidates } = request.query === "" ? { candidates: [] } : candidatesOf(index, request.query);
        return importantFiles(index.catalog.entries, { most: request.most, candidates });
      }
    }
  };

  const send = (reply: IndexReply) => process.connected && process.send?.(reply);
  process.on("message", ({ id, ...request }: IndexRequest & { id: number }) => {
    answer(request, (done, total) => send({ id, progress: { done, total } })).then(
      (result) => send({ id, result }),
      (error: unknown) => {
        if (isDamaged(error)) {
          close(request.file);
          removeIndexFile(request.file);
        }
        send({ id, problem: explain(error) });
      },
    );
  });
  process.once("disconnect", () => process.exit());
}

const isBelow = (file: string, folder: string | undefined): boolean =>
  folder === undefined || file === folder || file.startsWith(`${folder}/`);

const isDamaged = (error: unknown): boolean => error instanceof Error && "code" in error && /CORRUPT|NOTADB/.test(String(error.code));

function explain(error: unknown): string {
  const text = error instanceof Error ? `${"code" in error ? `${String(error.code)} ` : ""}${error.message}` : String(error);
  if (/SQLITE_FULL|ENOSPC|EDQUOT/.test(text)) return "The disk is full, so the index of the code cannot be written. Free some space.";
  if (/SQLITE_(READONLY|CANTOPEN)|EACCES|EROFS/.test(text))
    return "The index of the code cannot be written. Check the permissions of Baton's data folder.";
  return `The index of the code cannot be used: ${text}`;
}
