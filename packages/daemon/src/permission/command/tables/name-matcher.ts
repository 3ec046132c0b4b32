/** Returns the words of a text as a set. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Reads pairs of names: `gradlew=gradle mvnw=mvn`. */
export const namePairs = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(/\s+/).map((pair) => pair.split("=") as [string, string]));

/** Returns a test for the names in a list. `#` at the end stands for a version (`python3.11`), and `*` for any ending. */
export function nameMatcher(list: string): (name: string) => boolean {
  const names = list.split(/\s+/);
  const exact = new Set(names.flatMap((name) => (name.endsWith("#") ? [name, name.slice(0, -1)] : [name])));
  const starts = names.flatMap((name) => (name.endsWith("*") ? [name.slice(0, -1)] : []));
  return (name) =>
    exact.has(name) || (/[\d.]$/.test(name) && exact.has(name.replace(/[\d.]+$/, "#"))) || starts.some((start) => name.startsWith(start));
}
