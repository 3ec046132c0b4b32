/** Recognizes a second press of a key within `withinMs`: returns true for it. */
export function doublePress(withinMs: number): () => boolean {
  let first = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - first < withinMs) return true;
    first = now;
    return false;
  };
}

/** Counts how often a key was pressed in a row. */
type PressCount = { get: () => number; set: (n: number) => void; reset: () => void };

export function pressCount(): PressCount {
  let count = 0;
  return { get: () => count, set: (n) => void (count = n), reset: () => void (count = 0) };
}
