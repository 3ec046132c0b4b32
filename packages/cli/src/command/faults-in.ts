import type * as z from "zod";

/** What of a value does not fit, as a part of a sentence: `action is missing, effect: expected one of "allow"|"ask"|"deny"`. */
export const faultsIn = ({ issues }: z.ZodError, value: unknown): string =>
  issues.map(({ path, message, code }) => faultOf(path.map(String), message, code, value)).join(", ");

function faultOf(path: readonly string[], message: string, code: z.core.$ZodIssue["code"], value: unknown): string {
  const name = path.join(".");
  if (name !== "" && at(value, path) === undefined) return `${name} is missing`;
  const said = code === "invalid_union" ? "it has none of the forms that it can have" : message.replace(/^Invalid \w+: /, "");
  return `${name === "" ? "" : `${name}: `}${said.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
}

function at(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  return typeof value === "object" && value !== null ? at((value as Record<string, unknown>)[step], rest) : undefined;
}
