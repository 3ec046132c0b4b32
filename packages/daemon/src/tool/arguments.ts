import * as z from "zod";
import { closestMatch } from "@baton/core/text/closest-match";

/** The arguments of a tool. A key that it does not know is refused by naming the one that was most likely meant. */
export function toolArguments<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(key, known)).join(" ");
      return issue.code === "invalid_type" ? `Send one JSON object with ${known.join(", ")}.` : undefined;
    },
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = closestMatch(key, known);
  const shown = key.slice(0, 60);
  return meant
    ? `There is no argument ${shown}; did you mean ${meant}?`
    : `There is no argument ${shown}; there are ${known.join(", ") || "none"}.`;
}

/** Arguments that also take `older` for `name`, as models were taught it elsewhere. What is offered names `name` only. */
export const withAlias = <S extends z.ZodType>(older: string, name: string, schema: S) =>
  z.preprocess((given) => {
    if (!isRecord(given) || given[name] !== undefined || given[older] === undefined) return given;
    const { [older]: value, ...rest } = given;
    return { ...rest, [name]: value };
  }, schema);

/** Whether a value that nobody has checked is an object with keys. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
