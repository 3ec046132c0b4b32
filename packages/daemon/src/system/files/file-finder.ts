import uFuzzy from "@leeoniya/ufuzzy";

/** Finds files of a workspace by a fuzzy name, for completion. */
export type FileFinder = { find: (workspace: string, query: string) => Promise<string[]> };

export type FileFinderOptions = {
  /** All files of a workspace that are not ignored, relative to it. Undefined if they cannot be listed. */
  list: (workspace: string) => Promise<string[] | undefined>;
  now: () => number;
};

const MAX_FOUND = 50;
/** The user types a name within seconds. A list that is older than this is listed again while the old one still answers. */
const STALE_MS = 3_000;
/** A list that nobody asked for takes memory. */
const DROP_MS = 60_000;
const MAX_WORKSPACES = 4;

type Listing = { files: string[]; listedAt: number; usedAt: number; relisting: boolean };

/** Opens a finder. It keeps the lists of the workspaces that were asked for in the last minute. */
export function openFileFinder({ list, now }: FileFinderOptions): FileFinder {
  const listings = new Map<string, Listing>();
  const relist = async (workspace: string): Promise<Listing | undefined> => {
    const files = await list(workspace);
    if (!files) return undefined;
    const listing = { files, listedAt: now(), usedAt: now(), relisting: false };
    listings.delete(workspace);
    listings.set(workspace, listing);
    for (const [path, { usedAt }] of listings) if (listings.size > MAX_WORKSPACES || now() - usedAt > DROP_MS) listings.delete(path);
    return listing;
  };
  return {
    async find(workspace, query) {
      const current = listings.get(workspace);
      if (current && !current.relisting && now() - current.listedAt > STALE_MS) {
        current.relisting = true;
        relist(workspace).catch(() => (current.relisting = false)); // the old list still answers
      }
      const listing = current ?? (await relist(workspace));
      if (!listing) return [];
      listing.usedAt = now();
      return findFiles(listing.files, query);
    },
  };
}

/** Words that appear as they were typed. */
const exact = new uFuzzy({});
/** Letters that appear in this order, with up to this many others between two of them. */
const loose = new uFuzzy({ intraMode: 0, intraIns: 12, intraChars: "." });

/** More than this many files are ordered by a cheaper rule. */
const MAX_RANKED = 1_000;
/** A loose search for a longer text takes too long, and would find nothing else. */
const MAX_LOOSE = 12;

/** The files whose path is most like `query`, best first. */
export function findFiles(files: string[], query: string): string[] {
  const wanted = query.trim();
  if (wanted === "") return files.slice(0, MAX_FOUND);
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
