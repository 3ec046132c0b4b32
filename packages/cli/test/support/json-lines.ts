/** The objects of output with one JSON object in each line. */
export const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split("\n")
    .map((line) => objectOf(line));

export function objectOf(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== "object" || value === null) throw new Error(`not an object: ${line}`);
  return { ...value };
}
