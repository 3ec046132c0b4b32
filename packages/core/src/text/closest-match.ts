/** The candidate that a mistyped name most likely means: one that differs in at most a third of its characters, or that contains it. */
export function closestMatch(name: string, candidates: readonly string[]): string | undefined {
  const normalized = normalize(name);
  const scored = candidates.map((candidate) => ({ candidate, distance: distance(normalized, normalize(candidate)) }));
  const [best] = scored.toSorted((a, b) => a.distance - b.distance);
  if (best && best.distance <= Math.ceil(normalized.length / 3)) return best.candidate;
  return candidates.find((candidate) => normalize(candidate).includes(normalized) || normalized.includes(normalize(candidate)));
}

const normalize = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

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
