import { usage } from "./exit-codes.ts";

/** What is looked for, for a person: `session`, and where its ids are to be found, as a sentence. */
export type IdSubject = { one: string; where: string };

const LEAST = 3;

/**
 * The one that a person named by its id, or by the beginning of it (three letters at least). Throws what they read when
 * none fits, or more than one.
 */
export function resolveById<T extends { id: string }>(named: string, known: readonly T[], { one, where }: IdSubject): T {
  const same = known.find(({ id }) => id === named);
  const alike = same ? [same] : known.filter(({ id }) => named.length >= LEAST && id.startsWith(named));
  const [only, ...more] = alike;
  if (!only) throw usage(`There is no ${one} ${named}. ${where}`);
  if (more.length > 0) throw usage(`More than one ${one} begins with ${named}: ${listed(alike)}. Write more of the id.`);
  return only;
}

const MAX_LISTED = 10;

const listed = (alike: readonly { id: string }[]): string =>
  [...alike.slice(0, MAX_LISTED).map(({ id }) => id), ...(alike.length > MAX_LISTED ? [`and ${alike.length - MAX_LISTED} more`] : [])].join(
    ", ",
  );
