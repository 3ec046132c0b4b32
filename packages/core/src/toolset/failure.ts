import { closestMatch } from "../text/closest-match.ts";

export type FailureCode =
  | "invalid_argument"
  | "not_found"
  | "already_exists"
  | "not_equipped"
  | "not_in_toolset"
  | "conflict"
  | "denied"
  | "limit"
  | "unavailable";

/** Why nothing was done, and what is possible instead. */
export type Failure = { ok: false; code: FailureCode; message: string; suggestions: string[] };

export const failure = (code: FailureCode, message: string, suggestions: readonly string[] = []): Failure => ({
  ok: false,
  code,
  message,
  suggestions: [...suggestions],
});

const MAX_SUGGESTED = 10;

/** The names that were most likely meant, else the first there are. */
export function suggested(wanted: string, names: readonly string[]): string[] {
  const meant = closestMatch(wanted, names);
  const holding = names.filter((name) => name !== meant && name.includes(wanted));
  return [...(meant === undefined ? [] : [meant]), ...(holding.length > 0 ? holding : meant === undefined ? names : [])].slice(
    0,
    MAX_SUGGESTED,
  );
}
