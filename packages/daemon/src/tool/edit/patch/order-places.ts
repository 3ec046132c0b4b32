import type { Placed } from "./hunk-places.ts";

type Ordered = { places: Placed[] } | { fault: "order"; hunk: number } | { fault: "ambiguous"; hunk: number; lines: number[] };

/** The places of a hunk in order, and for each place the number of ways to go on with it, and with it or a later one. Counted up to 2. */
type Ways = { places: readonly Placed[]; withPlace: number[]; fromPlace: number[]; nextGroup: number[] };

const MAX_SHOWN = 10;

/**
 * Chooses one place for each hunk. Hunks follow each other in the file. If only one choice is in order, that is the meaning of the patch.
 * Hunks in another order count if each of them has one place only.
 */
export function orderPlaces(found: readonly (readonly Placed[])[]): Ordered {
  const ways = countWays(found);
  if (waysFrom(ways[0], 0) === 0) return otherOrder(found);
  const places: Placed[] = [];
  let from = 0;
  for (const [hunk, each] of ways.entries()) {
    const possible = choicesFrom(each, from).filter((index) => (each.withPlace[index] ?? 0) > 0);
    const place = each.places[possible[0] ?? -1];
    if (!place || possible.length > 1)
      return { fault: "ambiguous", hunk, lines: possible.slice(0, MAX_SHOWN).map((index) => (each.places[index]?.at ?? 0) + 1) };
    places.push(place);
    from = place.at + place.count;
  }
  return { places };
}

/** Counts from the last hunk to the first, so that long files and long patches take no long time. */
function countWays(found: readonly (readonly Placed[])[]): Ways[] {
  const ways: Ways[] = [];
  for (let hunk = found.length - 1; hunk >= 0; hunk--) {
    const places = (found[hunk] ?? []).toSorted((a, b) => a.at - b.at);
    const later = ways[0];
    const withPlace = places.map(({ at, count }) => (hunk === found.length - 1 ? 1 : waysFrom(later, at + count)));
    const nextGroup: number[] = [];
    const fromPlace: number[] = [];
    for (let i = places.length - 1; i >= 0; i--) {
      nextGroup[i] = i + 1 < places.length && groupOf(places[i + 1]) === groupOf(places[i]) ? (nextGroup[i + 1] ?? i + 1) : i + 1;
      fromPlace[i] = Math.min(2, (withPlace[i] ?? 0) + (fromPlace[nextGroup[i] ?? places.length] ?? 0));
    }
    ways.unshift({ places, withPlace, fromPlace, nextGroup });
  }
  return ways;
}

/** An anchor means the first match after it. A place without an anchor is a choice of its own. */
const groupOf = (place: Placed | undefined): string => (place?.segment ? `anchor ${place.segment.start}` : `place ${place?.at ?? -1}`);

/** The number of ways for a hunk and all later ones, if the hunk begins at this line or later. */
const waysFrom = (ways: Ways | undefined, from: number): number => (ways ? (ways.fromPlace[firstFrom(ways.places, from)] ?? 0) : 0);

/** The places that a hunk can have from this line: the first of each group. */
function choicesFrom({ places, nextGroup }: Ways, from: number): number[] {
  const choices: number[] = [];
  for (let i = firstFrom(places, from); i < places.length; i = nextGroup[i] ?? places.length) choices.push(i);
  return choices;
}

function firstFrom(places: readonly Placed[], from: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle]?.at ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function otherOrder(found: readonly (readonly Placed[])[]): Ordered {
  const places = found.flatMap((each) => (each.length === 1 ? each : []));
  const sorted = places.toSorted((a, b) => a.at - b.at);
  const isApart = sorted.every(({ at }, i) => at >= (sorted[i - 1]?.at ?? 0) + (sorted[i - 1]?.count ?? 0));
  if (places.length === found.length && isApart) return { places };
  return { fault: "order", hunk: firstOutOfOrder(found) };
}

/** The first hunk that has no place after the earliest places of the hunks before it. */
function firstOutOfOrder(found: readonly (readonly Placed[])[]): number {
  let from = 0;
  for (const [hunk, each] of found.entries()) {
    const next = each.toSorted((a, b) => a.at - b.at).find(({ at }) => at >= from);
    if (!next) return hunk;
    from = next.at + next.count;
  }
  return 0;
}
