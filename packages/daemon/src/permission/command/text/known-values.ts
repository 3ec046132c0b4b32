/** The limits for texts that the gate follows through variables: how many, and how long in characters. */
const MAX_VALUES = 50;
const MAX_LENGTH = 4_000;

/** Returns each combination of one text of each list as one text. Undefined if a list is unknown, or there are too many or too long texts. */
export function joined(
  lists: readonly (readonly string[] | undefined)[],
  join: (parts: readonly string[]) => string = (parts) => parts.join(""),
): string[] | undefined {
  let all: string[][] | undefined = [[]];
  for (const list of lists) {
    all = list && all?.flatMap((parts) => list.map((part) => [...parts, part]));
    if (all === undefined || all.length > MAX_VALUES) return undefined;
  }
  const texts = all.map(join);
  return texts.some(({ length }) => length > MAX_LENGTH) ? undefined : texts;
}

/** Returns the texts that a variable may hold. Undefined for one whose value depends on itself. */
export function valuesOfName(
  name: string,
  values: Map<string, string[] | undefined>,
  find: () => string[] | undefined,
): string[] | undefined {
  if (!values.has(name)) {
    values.set(name, undefined);
    values.set(name, find());
  }
  return values.get(name);
}
