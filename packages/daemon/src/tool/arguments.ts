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
