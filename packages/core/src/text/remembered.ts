const MAX_KNOWN = 1_000;

/** Returns a function that computes the result for each text once. To limit memory, it forgets all results after 1,000 texts. */
export function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, { result: T }>();
  return (text) => {
    const found = known.get(text);
    if (found) return found.result;
    const result = compute(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, { result });
    return result;
  };
}
