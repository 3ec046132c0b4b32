import path from "node:path";
import uFuzzy from "@leeoniya/ufuzzy";

/**
 * Finds files of a workspace and of the other folders of a session by a fuzzy name, for completion. Paths in the workspace are relative, and
 * paths in other folders are absolute.
 */
export type FileFinder = { find: (workspace: string, query: string, roots?: readonly string[]) => Promise<string[]> };

type FileFinderOptions = {
  /** All files of a folder that are not ignored, relative to it. Undefined if they cannot be listed. */
  list: (folder: string) => Promise<string[] | undefined>;
  now: () => number;
};

const MAX_FOUND = 50;
/** The user types a name within seconds. A list that is older than this is listed again while the old one still answers. */
const STALE_MS = 3_000;
/** A list that nobody asked for takes memory. */
const DROP_MS = 60_000;
const MAX_FOLDERS = 12;

type Listing = { files: string[]; listedAt: number; usedAt: number; relisting: boolean };

/** Opens a finder. It keeps the lists of the folders that were asked for in the last minute. */
export function openFileFinder({ list, now }: FileFinderOptions): FileFinder {
  const listings = new Map<string, Listing>();
  const relist = async (folder: string): Promise<Listing | undefined> => {
    const files = await list(folder);
    if (!files) return undefined;
    const listing = { files, listedAt: now(), usedAt: now(), relisting: false };
    listings.delete(folder);
    listings.set(folder, listing);
    for (const [each, { usedAt }] of listings) if (listings.size > MAX_FOLDERS || now() - usedAt > DROP_MS) listings.delete(each);
    return listing;
  };
  const filesIn = async (folder: string): Promise<string[]> => {
    const current = listings.get(folder);
    if (current && !current.relisting && now() - current.listedAt > STALE_MS) {
      current.relisting = true;
      relist(folder).catch(() => (current.relisting = false)); // the old list still answers
    }
    const listing = current ?? (await relist(folder));
    if (!listing) return [];
    listing.usedAt = now();
    return listing.files;
  };
  return {
    async find(workspace, query, roots = []) {
      const others = roots.filter((root) => !isBelow(workspace, root));
      const found = await Promise.all([
        filesIn(workspace).then((files) => findFiles(files, query)),
        ...others.map(async (root) => findInRoot(root, await filesIn(root), query).filter((file) => !isBelow(workspace, file))),
      ]);
      return inTurns(found).slice(0, MAX_FOUND);
    },
  };
}

/** The name of the folder counts as a part of the path. The query may also be an absolute path. */
function findInRoot(root: string, files: readonly string[], query: string): string[] {
  const name = path.basename(root);
  const wanted = isBelow(root, query) ? name + query.slice(root.length) : query;
  const found = findFiles(
    files.map((file) => `${name}/${file}`),
    wanted,
  );
  return found.map((file) => path.join(root, file.slice(name.length + 1)));
}

/** The first of each list, then the second of each, and so on, so that no folder hides the others. */
function inTurns(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return [...new Set(Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat())];
}

const isBelow = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);

/**
 * `exact` finds words that appear as they were typed. `loose` finds letters that appear in this order, with up to 12 others between two of
 * them. They are made with the first search, because that takes longer than many other steps of the daemon's start.
 */
function matchers(): Matchers {
  return (made ??= { exact: new uFuzzy({}), loose: new uFuzzy({ intraMode: 0, intraIns: 12, intraChars: "." }) });
}

type Matchers = { exact: uFuzzy; loose: uFuzzy };
let made: Matchers | undefined;

/** More than this many files are ordered by a cheaper rule. */
const MAX_RANKED = 1_000;
/** A loose search for a longer text takes too long, and would find nothing else. */
const MAX_LOOSE = 12;

/** The files whose path is most like `query`, best first. */
export function findFiles(files: string[], query: string): string[] {
  const wanted = query.trim();
  if (wanted === "") return files.slice(0, MAX_FOUND);
  const { exact, loose } = matchers();
  const found = exact.filter(files, wanted) ?? [];
  if (found.length > MAX_RANKED) return byName(files, found, wanted.toLowerCase());
  const best = rank(exact, files, found, wanted);
  if (best.length >= MAX_FOUND || wanted.length > MAX_LOOSE || wanted.includes(" ")) return best.slice(0, MAX_FOUND);
  const more = rank(loose, files, (loose.filter(files, wanted) ?? []).slice(0, MAX_RANKED), wanted);
  return [...new Set([...best, ...more])].slice(0, MAX_FOUND);
}

function rank(fuzzy: uFuzzy, files: string[], found: readonly number[], query: string): string[] {
  if (found.length === 0) return [];
  const info = fuzzy.info([...found], files, query);
  return fuzzy.sort(info, files, query).map((order) => files[info.idx[order] ?? -1] ?? "");
}

/** Files whose name begins with the query, then those whose name contains it, then the others; each group from short to long. */
function byName(files: readonly string[], found: readonly number[], query: string): string[] {
  const groups: string[][] = [[], [], []];
  for (const index of found) {
    const file = files[index] ?? "";
    const at = file
      .slice(file.lastIndexOf("/") + 1)
      .toLowerCase()
      .indexOf(query);
    groups[at === 0 ? 0 : at > 0 ? 1 : 2]?.push(file);
  }
  return groups.flatMap((group) => group.toSorted((a, b) => a.length - b.length).slice(0, MAX_FOUND)).slice(0, MAX_FOUND);
}
