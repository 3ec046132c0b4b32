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

/** The reason why a call changed nothing, and what is possible instead. */
export type ToolsetFailure = { ok: false; code: FailureCode; message: string; suggestions: string[] };

export const toolsetFailure = (code: FailureCode, message: string, suggestions: readonly string[] = []): ToolsetFailure => ({
  ok: false,
  code,
  message,
  suggestions: [...suggestions],
});

const MAX_SUGGESTED = 10;

/** The names that were most likely meant. Without a match, the first names. */
export function suggestNames(name: string, names: readonly string[]): string[] {
  const match = closestMatch(name, names);
  const similar = names.filter((each) => each !== match && each.includes(name));
  const all = match === undefined && similar.length === 0 ? names : [...(match === undefined ? [] : [match]), ...similar];
  return all.slice(0, MAX_SUGGESTED);
}
