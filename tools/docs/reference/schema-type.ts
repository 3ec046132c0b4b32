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
  return Array.isArray(schema.type) ? schema.type.join(" | ") : (schema.type ?? "any");
}

function arrayType(items: Schema | undefined, depth: number): string {
  const inner = schemaType(items, depth + 1);
  return / [|&] /.test(inner) && !inner.startsWith("{") ? `(${inner})[]` : `${inner}[]`;
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
