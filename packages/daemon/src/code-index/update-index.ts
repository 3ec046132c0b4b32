import { lstatSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { IndexedFiles, IndexEntry } from "./indexed-files.ts";
import type { AnalyzeFiles } from "./analysis/analyze-file.ts";
import { namesIn } from "./analysis/code-words.ts";
import type { IndexFile } from "./index-database.ts";
import { readSourceText } from "./analysis/read-source.ts";

/** Files that are stored in one transaction. */
const BATCH = 500;
const MAX_LINKS = 6;
/** A name that more files define says nothing about which one is meant. */
const MAX_DEFINERS = 4;
const MIN_LINKED_NAME = 4;
/** Rows of changed and removed files remain until this share of all rows. */
const MAX_WASTE = 0.3;
/** So many changed files are worth compacting the index. */
const MIN_COMPACTED = 200;
/** Other work of the process continues after each so many milliseconds. */
const MAX_BLOCKED_MS = 20;

export type Progress = (done: number, total: number) => void;

type Work = { root: string; analyze: AnalyzeFiles; progress: Progress };

/** `rebuild`: too much of the index is waste, or it has words of files that it may no longer have. */
type Updated = { changed: number } | { rebuild: true };

/**
 * Brings an index up to date with these files of a folder. `paths` are relative. Everything that is stored is consistent, so a killed
 * update continues where it was.
 */
export async function updateIndex(index: IndexFile, { paths, ...work }: Work & { paths: readonly string[] }): Promise<Updated> {
  const { root } = work;
  const { catalog } = index;
  const pause = pauses();
  const wanted = new Set(paths);
  const gone = [...catalog.paths()].filter((file) => !wanted.has(file));
  // A file that is there but not listed is ignored or hidden by rules from now on. None of its words may remain.
  if (gone.some((file) => lstatSync(path.join(root, file), { throwIfNoEntry: false }) !== undefined)) return { rebuild: true };
  if (catalog.waste > MAX_WASTE && catalog.size > MIN_COMPACTED) return { rebuild: true };
  for (const file of gone) catalog.remove(file);
  const changed: string[] = [];
  for (const file of paths) {
    if (isChanged(path.join(root, file), catalog.at(file))) changed.push(file);
    await pause();
  }
  await store(changed, index, work);
  await link(index, work, pause);
  if (changed.length > MIN_COMPACTED) index.compact();
  return { changed: changed.length + gone.length };
}

function isChanged(file: string, entry: IndexEntry | undefined): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && (entry?.size !== stats.size || entry.modified !== Math.trunc(stats.mtimeMs));
}

type Pause = () => Promise<void>;

/** Lets other work of the process continue from time to time. */
function pauses(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_BLOCKED_MS) return;
    await setImmediate();
    since = performance.now();
  };
}

async function store(changed: readonly string[], index: IndexFile, { root, analyze, progress }: Work): Promise<void> {
  const { catalog } = index;
  let rows: [number, string][] = [];
  let done = 0;
  await analyze(root, changed, (found) => {
    for (const { words, ...file } of found) {
      const doc = catalog.nextDoc();
      catalog.set({ ...file, doc, links: undefined });
      rows.push([doc, words]);
    }
    done += found.length;
    if (rows.length < BATCH) return;
    index.save(rows);
    rows = [];
    progress(done, changed.length);
  });
  index.save(rows);
}

/** Finds the files that new and changed files refer to: those that define a name which occurs in them. */
async function link(index: IndexFile, { root, progress }: Work, pause: Pause): Promise<void> {
  const { catalog } = index;
  const open = catalog.entries.filter((entry) => entry?.links === undefined);
  if (open.every((entry) => entry === undefined)) return;
  const definers = definersOf(catalog);
  let count = 0;
  for (const entry of open) {
    if (!entry) continue;
    const source = entry.names.length === 0 && !isText(entry.path) ? undefined : readSourceText(path.join(root, entry.path));
    catalog.set({ ...entry, links: linksOf(source?.text ?? "", catalog.numberOf(entry.path), definers) });
    if (++count % BATCH === 0) {
      index.save([]);
      progress(open.length, open.length); // shows that the process is alive
    }
    await pause();
  }
  index.save([]);
}

/** Documents and data refer to code as well, but only by the way. */
const isText = (file: string): boolean => !/\.(json|lock|svg|csv|ya?ml|txt|md|map|html|css)$/.test(file);

/** The numbers of the files that define each name. */
function definersOf(catalog: IndexedFiles): Map<string, number[]> {
  const definers = new Map<string, number[]>();
  catalog.entries.forEach((entry, number) => {
    for (const name of entry?.names ?? []) {
      if (name.length < MIN_LINKED_NAME) continue;
      const known = definers.get(name);
      if (known) known.push(number);
      else definers.set(name, [number]);
    }
  });
  return definers;
}

/** A name such as `path` is also the name of many variables. */
const PLAIN_WORD = /^\p{Ll}+$/u;

function linksOf(text: string, own: number | undefined, definers: ReadonlyMap<string, readonly number[]>): number[] {
  const weights = new Map<number, number>();
  for (const name of namesIn(text)) {
    const files = definers.get(name);
    if (!files || files.length > MAX_DEFINERS || files.some((file) => file === own)) continue;
    const weight = (PLAIN_WORD.test(name) ? 0.1 : 1) / files.length;
    for (const file of files) weights.set(file, (weights.get(file) ?? 0) + weight);
  }
  return [...weights]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_LINKS)
    .map(([file]) => file);
}
