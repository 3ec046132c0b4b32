import type { NamedPath, PathUse } from "../programs/program-types.ts";
import { literal } from "../words/word.ts";

/** Stands for a name that the code finds in a folder, in a text that is known otherwise: `src/` and this sign for each entry of `src`. */
export const ANY_NAME = "\0";

/**
 * Returns the access to a file of the code. A file whose name the code finds in a folder may be any file below that folder. Undefined if the folder
 * is not certain.
 */
export function fileAccess(file: string, use: PathUse): NamedPath | undefined {
  const [folder = "", ...rest] = file.split(ANY_NAME);
  if (!file.isWellFormed()) return undefined; // it would have another name on the disk
  if (rest.length === 0) return { word: literal(file), use };
  const isBelow = folder.endsWith("/") && rest.every((each) => /^[\w./-]*$/.test(each) && !each.includes(".."));
  return isBelow && (use === "reads" || use === "names")
    ? { word: literal(folder), use: use === "reads" ? "searches" : use, search: { follows: true } }
    : undefined;
}

/**
 * Returns the accesses of a function to the files in its arguments. `uses`: the use of each one, such as `moves,writes`. Undefined if one of them is not
 * certain.
 */
export function accessesOf(uses: string, files: readonly (readonly string[] | undefined)[]): NamedPath[] | undefined {
  if (files.length > 1 && files.flat().some((file) => file?.includes(ANY_NAME) === true)) return undefined;
  const all = uses.split(",").map((use, i) => files[i]?.map((file) => fileAccess(file, use as PathUse)) ?? [undefined]);
  const [first = [], second = []] = all;
  const from = first.flatMap((each) => each?.word ?? []);
  const named = [...first, ...second.map((each) => each && { ...each, from })];
  return named.every((each) => each !== undefined) ? named : undefined;
}

/** True if code moves something and uses any other path. It may move a link, and reach another place through it. */
export function usesMoved(paths: readonly NamedPath[]): boolean {
  const moves = paths.filter(({ use }) => use === "moves");
  const isPart = ({ word, from = [] }: NamedPath) => word.text === moves[0]?.word.text || from.some((each) => each === moves[0]?.word);
  return moves.length > 1 || (moves.length === 1 && !paths.every(isPart));
}

/** How often the gate visits code to find what its names mean. */
export const MAX_VISITS = 10;

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

/** Returns the texts of all elements of a list. Undefined if one of them is not known. */
export const allOf = (lists: readonly (readonly string[] | null | undefined)[]): string[] | undefined =>
  lists.every((list) => list) ? [...new Set(lists.flatMap((list) => list ?? []))] : undefined;
