import type * as z from "zod";

/** A problem that a schema found in a value: from zod in this process or, as JSON, from the daemon. */
export type Issue = { path: readonly PropertyKey[]; message: string; code?: string | undefined };

/** The problems of a value as part of a sentence: `action is missing, effect: expected one of "allow"|"ask"|"deny"`. */
export const describeIssues = ({ issues }: z.ZodError, value: unknown): string =>
  issues.map((issue) => describeIssue(issue, value)).join(", ");

const UNKNOWN_VALUE = Symbol("the value is not known");

/** One problem as part of a sentence. Messages of Baton's schemas begin with a small letter and stay unchanged. */
export function describeIssue({ path, message, code }: Issue, value: unknown = UNKNOWN_VALUE): string {
  const name = path.map(String).join(".");
  if (/^[^A-Z]/.test(message)) return message;
  const isMissing = value === UNKNOWN_VALUE ? message.endsWith("received undefined") : at(value, path) === undefined;
  if (isMissing && name !== "") return `${name} is missing`;
  if (message === EMPTY) return `${name} is empty`;
  const text = code === "invalid_union" ? "it matches none of the allowed forms" : message.replace(/^Invalid \w+: /, "");
  return `${name === "" ? "" : `${name}: `}${text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`;
}

const EMPTY = "Too small: expected string to have >=1 characters";

function at(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return value;
  return typeof value === "object" && value !== null ? at((value as Record<PropertyKey, unknown>)[step], rest) : undefined;
}
