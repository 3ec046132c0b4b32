import * as z from "zod";
import { closestMatch } from "@baton/core/text/closest-match";
import { isRecord } from "@baton/core/text/json";

/** The arguments of a tool. An unknown key is rejected with the closest known key. */
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

/** The schema that models get for a tool whose input accepts more. */
export function offeredSchema(shape: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: "input" });
  return schema;
}

/** Arguments that also accept the name `older` for `name`, which models know from other agents. The schema only has `name`. */
export const withAlias = <S extends z.ZodType>(older: string, name: string, schema: S) =>
  z.preprocess((given) => {
    if (!isRecord(given) || given[name] !== undefined || given[older] === undefined) return given;
    const { [older]: value, ...rest } = given;
    return { ...rest, [name]: value };
  }, schema);
