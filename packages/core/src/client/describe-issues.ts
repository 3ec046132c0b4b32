import type * as z from "zod";

/** A problem that zod found in a value. */
type Issue = { path: readonly PropertyKey[]; message: string; code?: string | undefined };

/** The sentence for an input that the daemon did not accept, with a description of its problems. */
export const invalidInput = (problems: string): string => asSentence(`${NOT_ACCEPTED}${problems}`);

/** The beginning of each such sentence. */
export const NOT_ACCEPTED = "The daemon did not accept this: ";

const asSentence = (text: string): string => text.replace(/[^.]$/, "$&.");

/** The problems of a value as part of a sentence: `action is missing, effect: expected one of "allow"|"ask"|"deny"`. */
export const describeIssues = ({ issues }: z.ZodError, value: unknown): string =>
  issues.map((issue) => describeIssue(issue, value)).join(", ");

/** One problem as part of a sentence. Messages of Baton's schemas begin with a small letter and stay unchanged. */
export function describeIssue({ path, message, code }: Issue, value: unknown): string {
  const name = path.map(String).join(".");
  if (/^[^A-Z]/.test(message)) return message;
  if (name !== "" && at(value, path) === undefined) return `${name} is missing`;
  if (message === EMPTY) return `${name} is empty`;
  const text = code === "invalid_union" ? "it matches none of the allowed forms" : message.replace(/^Invalid \w+: /, "");
  return `${name === "" ? "" : `${name}: `}${text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`;
}

const EMPTY = "Too small: expected string to have >=1 characters";

function at(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return value;
  return typeof value === "object" && value !== null ? at((value as Record<PropertyKey, unknown>)[step], rest) : undefined;
}
