import type { HunkMatch } from "./hunk-matches.ts";

type Ordered = { matches: HunkMatch[] } | { fault: "order"; hunk: number } | { fault: "ambiguous"; hunk: number; lines: number[] };

/** The matches of a hunk in order, and for each match the number of ways to go on with it, and with it or a later one. Counted up to 2. */
type Ways = { matches: readonly HunkMatch[]; waysThrough: number[]; waysFromMatch: number[]; nextGroup: number[] };

const MAX_SHOWN = 10;

/**
 * Chooses one match for each hunk. Hunks follow each other in the file. If only one choice is in order, that is the meaning of the patch.
 * Hunks in another order count if each of them has one match only.
 */
export function chooseMatches(found: readonly (readonly HunkMatch[])[]): Ordered {
  const ways = countWays(found);
  if (waysFrom(ways[0], 0) === 0) return otherOrder(found);
  const matches: HunkMatch[] = [];
  let from = 0;
  for (const [hunk, each] of ways.entries()) {
    const possible = choicesFrom(each, from).filter((index) => (each.waysThrough[index] ?? 0) > 0);
    const match = each.matches[possible[0] ?? -1];
    if (!match || possible.length > 1)
      return { fault: "ambiguous", hunk, lines: possible.slice(0, MAX_SHOWN).map((index) => (each.matches[index]?.at ?? 0) + 1) };
    matches.push(match);
    from = match.at + match.count;
  }
  return { matches };
}

/** Counts from the last hunk to the first, so that long files and long patches take no long time. */
function countWays(found: readonly (readonly HunkMatch[])[]): Ways[] {
  const ways: Ways[] = [];
  for (let hunk = found.length - 1; hunk >= 0; hunk--) {
    const matches = (found[hunk] ?? []).toSorted((a, b) => a.at - b.at);
    const later = ways[0];
    const waysThrough = matches.map(({ at, count }) => (hunk === found.length - 1 ? 1 : waysFrom(later, at + count)));
    const nextGroup: number[] = [];
    const waysFromMatch: number[] = [];
    for (let i = matches.length - 1; i >= 0; i--) {
      nextGroup[i] = i + 1 < matches.length && groupOf(matches[i + 1]) === groupOf(matches[i]) ? (nextGroup[i + 1] ?? i + 1) : i + 1;
      waysFromMatch[i] = Math.min(2, (waysThrough[i] ?? 0) + (waysFromMatch[nextGroup[i] ?? matches.length] ?? 0));
    }
    ways.unshift({ matches, waysThrough, waysFromMatch, nextGroup });
  }
  return ways;
}

/** An anchor means the first match after it. A match without an anchor is a choice of its own. */
const groupOf = (match: HunkMatch | undefined): string => (match?.segment ? `anchor ${match.segment.start}` : `place ${match?.at ?? -1}`);

/** The number of ways for a hunk and all later ones, if the hunk begins at this line or later. */
const waysFrom = (ways: Ways | undefined, from: number): number => (ways ? (ways.waysFromMatch[firstFrom(ways.matches, from)] ?? 0) : 0);

/** The matches that a hunk can have from this line: the first of each group. */
function choicesFrom({ matches, nextGroup }: Ways, from: number): number[] {
  const choices: number[] = [];
  for (let i = firstFrom(matches, from); i < matches.length; i = nextGroup[i] ?? matches.length) choices.push(i);
  return choices;
}

function firstFrom(matches: readonly HunkMatch[], from: number): number {
  let [low, high] = [0, matches.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((matches[middle]?.at ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function otherOrder(found: readonly (readonly HunkMatch[])[]): Ordered {
  const matches = found.flatMap((each) => (each.length === 1 ? each : []));
  const sorted = matches.toSorted((a, b) => a.at - b.at);
  const isApart = sorted.every(({ at }, i) => at >= (sorted[i - 1]?.at ?? 0) + (sorted[i - 1]?.count ?? 0));
  if (matches.length === found.length && isApart) return { matches };
  return { fault: "order", hunk: firstOutOfOrder(found) };
}

/** The first hunk that has no match after the earliest matches of the hunks before it. */
function firstOutOfOrder(found: readonly (readonly HunkMatch[])[]): number {
  let from = 0;
  for (const [hunk, each] of found.entries()) {
    const next = each.toSorted((a, b) => a.at - b.at).find(({ at }) => at >= from);
    if (!next) return hunk;
    from = next.at + next.count;
  }
  return 0;
}
