import type * as z from "zod";

/** What a schema found wrong at one place, as it comes from zod here or, as JSON, from the daemon. */
export type Issue = { path: readonly PropertyKey[]; message: string; code?: string | undefined };

/** What of a value does not fit, as a part of a sentence: `action is missing, effect: expected one of "allow"|"ask"|"deny"`. */
export const faultsIn = ({ issues }: z.ZodError, value: unknown): string => issues.map((issue) => faultOf(issue, value)).join(", ");

const NOT_LOOKED_AT = Symbol("the value is not at hand");

/** One fault. A sentence that somebody wrote for it stays as it is: the library's own begin with a capital. */
export function faultOf({ path, message, code }: Issue, value: unknown = NOT_LOOKED_AT): string {
  const name = path.map(String).join(".");
  if (/^[^A-Z]/.test(message)) return message;
  const isMissing = value === NOT_LOOKED_AT ? message.endsWith("received undefined") : at(value, path) === undefined;
  if (isMissing && name !== "") return `${name} is missing`;
  if (message === EMPTY) return `${name} is empty`;
  const said = code === "invalid_union" ? "it has none of the forms that it can have" : message.replace(/^Invalid \w+: /, "");
  return `${name === "" ? "" : `${name}: `}${said.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
}

const EMPTY = "Too small: expected string to have >=1 characters";

function at(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return value;
  return typeof value === "object" && value !== null ? at((value as Record<PropertyKey, unknown>)[step], rest) : undefined;
}
