/** The candidate that a mistyped name most likely meant: at most a third of its letters away, or a part of it. */
export function closestMatch(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(name);
  const scored = candidates.map((candidate) => ({ candidate, distance: distance(wanted, plain(candidate)) }));
  const [best] = scored.toSorted((a, b) => a.distance - b.distance);
  if (best && best.distance <= Math.ceil(wanted.length / 3)) return best.candidate;
  return candidates.find((candidate) => plain(candidate).includes(wanted) || wanted.includes(plain(candidate)));
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

/** Levenshtein distance, row by row. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same));
    }
  }
  return row.at(-1) ?? 0;
}
