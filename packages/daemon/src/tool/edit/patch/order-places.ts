import type { Placed } from "./hunk-places.ts";

type Ordered = { places: Placed[] } | { fault: "order"; hunk: number } | { fault: "ambiguous"; hunk: number; lines: number[] };

/**
 * Chooses one place for each hunk. Hunks follow each other in the file. If only one choice is in order, that is the meaning of the patch.
 * Hunks in another order count if each of them has one place only.
 */
export function orderPlaces(found: readonly (readonly Placed[])[]): Ordered {
  const counts = new Map<string, number>();
  const choices = (hunk: number, from: number): Placed[] => firstOfEachSegment((found[hunk] ?? []).filter(({ at }) => at >= from));
  /** The number of choices in order for this hunk and all later ones, counted up to 2. */
  const count = (hunk: number, from: number): number => {
    if (hunk === found.length) return 1;
    const key = `${hunk} ${from}`;
    const known = counts.get(key);
    if (known !== undefined) return known;
    let sum = 0;
    for (const place of choices(hunk, from)) {
      sum += count(hunk + 1, place.at + place.count);
      if (sum > 1) break;
    }
    counts.set(key, Math.min(sum, 2));
    return Math.min(sum, 2);
  };
  if (count(0, 0) === 0) return otherOrder(found);
  const places: Placed[] = [];
  let from = 0;
  for (let hunk = 0; hunk < found.length; hunk++) {
    const possible = choices(hunk, from).filter((place) => count(hunk + 1, place.at + place.count) > 0);
    const [place] = possible;
    if (!place || possible.length > 1) return { fault: "ambiguous", hunk, lines: possible.slice(0, 10).map(({ at }) => at + 1) };
    places.push(place);
    from = place.at + place.count;
  }
  return { places };
}

/** An anchor means the first match after it. */
function firstOfEachSegment(places: readonly Placed[]): Placed[] {
  const seen = new Set<number>();
  return places.filter(({ segment }) => {
    if (!segment) return true;
    const isFirst = !seen.has(segment.start);
    seen.add(segment.start);
    return isFirst;
  });
}

function otherOrder(found: readonly (readonly Placed[])[]): Ordered {
  const places = found.flatMap((each) => (each.length === 1 ? each : []));
  const sorted = places.toSorted((a, b) => a.at - b.at);
  const isApart = sorted.every(({ at }, i) => at >= (sorted[i - 1]?.at ?? 0) + (sorted[i - 1]?.count ?? 0));
  if (places.length === found.length && isApart) return { places };
  const late = found.findIndex(
    (each, i) => i > 0 && each.every(({ at }) => found.slice(0, i).some((before) => before.every((place) => place.at + place.count > at))),
  );
  return { fault: "order", hunk: Math.max(0, late) };
}
