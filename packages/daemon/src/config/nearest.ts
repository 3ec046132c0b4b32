/** The candidate that a mistyped word most likely meant: at most a third of its letters away. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const scored = candidates.map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }));
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (least, next) => (least && least.distance <= next.distance ? least : next),
    undefined,
  );
  return best && best.distance <= Math.max(1, Math.ceil(word.length / 3)) ? best.candidate : undefined;
}

/** Levenshtein distance, row by row. */
function distanceOf(a: string, b: string): number {
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
