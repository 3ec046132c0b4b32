import type * as z from "zod";

type Schema = z.core.JSONSchema.JSONSchema;

/** A JSON Schema as a short type: `"on" | "off"`, `string[]`, `{ name: string }`. */
export function schemaType(schema: Schema | boolean | undefined, depth = 0): string {
  if (schema === undefined || typeof schema === "boolean") return "any";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map((option) => schemaType(option, depth + 1)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => schemaType(part, depth + 1)).join(" & ");
  if (schema.type === "array")
    return arrayType(typeof schema.items === "object" && !Array.isArray(schema.items) ? schema.items : undefined, depth);
  if (schema.type === "object") return objectType(schema, depth);
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  return `${Array.isArray(schema.type) ? schema.type.join(" | ") : (schema.type ?? "any")}${limits(schema)}`;
}

/** The name of a schema that is described elsewhere on the page. zod itself names those that contain themselves. */
const nameIn = (ref: string): string => /[/](?!__)(\w+)$/.exec(ref)?.[1] ?? "any";

/** The limits that a client may run into: ` (1-500)`, ` (at most 10000 characters)`. Names and ids are shorter than theirs. */
function limits({ type, minimum, exclusiveMinimum, maximum, maxLength = 0 }: Schema): string {
  if (maxLength >= LONG) return ` (at most ${maxLength} characters)`;
  const to = isLimit(maximum) ? maximum : undefined;
  const from = typeof exclusiveMinimum === "number" && type === "integer" ? exclusiveMinimum + 1 : minimum;
  if (to !== undefined) return isLimit(from) ? ` (${from}-${to})` : ` (at most ${to})`;
  if (typeof exclusiveMinimum === "number" && type === "number") return ` (above ${exclusiveMinimum})`;
  return isLimit(from) && from !== 0 ? ` (at least ${from})` : "";
}

const LONG = 1_000;

/** Each integer of zod has the limits of exact numbers. */
const isLimit = (limit: number | undefined): limit is number => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

function arrayType(items: Schema | undefined, depth: number): string {
  const inner = schemaType(items, depth + 1);
  return / /.test(inner) && !inner.startsWith("{") ? `(${inner})[]` : `${inner}[]`;
}

/** Objects deeper than this are only named as objects. */
const MAX_DEPTH = 2;

function objectType({ properties, required = [], additionalProperties }: Schema, depth: number): string {
  if (!properties)
    return typeof additionalProperties === "object" ? `{ [name]: ${schemaType(additionalProperties, depth + 1)} }` : "object";
  if (depth >= MAX_DEPTH) return "object";
  const fields = Object.entries(properties).map(
    ([name, value]) => `${name}${required.includes(name) ? "" : "?"}: ${schemaType(value, depth + 1)}`,
  );
  return fields.length === 0 ? "object" : `{ ${fields.join(", ")} }`;
}
