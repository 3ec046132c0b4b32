import { compileRegex } from "@baton/core/text/regex";
import { isRecord } from "@baton/core/text/json";
import * as z from "zod";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The check of arguments that a JSON Schema describes, or why Baton cannot check them. Patterns are checked in linear time, because the
 * expressions of a stranger must not stop the daemon.
 */
export function inputValidator(schema: Schema): z.ZodType | { problem: string } {
  if (schema["type"] !== "object") return { problem: 'input must be a JSON Schema with "type": "object".' };
  try {
    const patterns = new Map<string, (text: string) => boolean>();
    for (const pattern of patternsIn(schema)) {
      const regex = compileRegex(pattern);
      if (typeof regex !== "function")
        return { problem: `The pattern ${JSON.stringify(pattern)} of input is invalid: ${regex.fault}. ${regex.fix}` };
      patterns.set(pattern, regex);
    }
    const shape = z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]);
    return shape.superRefine((value, context) => {
      for (const { path, pattern } of misfits(schema, value, patterns))
        context.addIssue({ code: "custom", path, message: `it does not match the pattern ${pattern}` });
    });
  } catch (error) {
    return { problem: `Baton cannot use the JSON Schema in input: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

const propertiesOf = (schema: Schema): [string, unknown][] => (isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : []);

function patternsIn(schema: unknown): string[] {
  if (!isRecord(schema)) return [];
  const own = typeof schema["pattern"] === "string" ? [schema["pattern"]] : [];
  return [...own, ...propertiesOf(schema).flatMap(([, each]) => patternsIn(each)), ...patternsIn(schema["items"])];
}

/** The schema without the patterns that `misfits` checks. Other places must have none. */
function withoutPatterns(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { pattern: _, properties, items, ...rest } = schema;
  if (JSON.stringify(rest).includes('"pattern')) throw new Error("a pattern is only possible in properties and items");
  return {
    ...rest,
    ...(isRecord(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withoutPatterns(each)])) }
      : {}),
    ...(items === undefined ? {} : { items: withoutPatterns(items) }),
  };
}

type Misfit = { path: PropertyKey[]; pattern: string };

function misfits(schema: unknown, value: unknown, patterns: ReadonlyMap<string, (text: string) => boolean>): Misfit[] {
  if (!isRecord(schema)) return [];
  const { pattern, items } = schema;
  const below = (key: PropertyKey, each: unknown, part: unknown): Misfit[] =>
    misfits(each, part, patterns).map((misfit) => ({ ...misfit, path: [key, ...misfit.path] }));
  if (typeof value === "string") return typeof pattern === "string" && !patterns.get(pattern)?.(value) ? [{ path: [], pattern }] : [];
  if (Array.isArray(value)) return value.flatMap((part: unknown, i) => below(i, items, part));
  if (!isRecord(value)) return [];
  return propertiesOf(schema).flatMap(([name, each]) => (Object.hasOwn(value, name) ? below(name, each, value[name]) : []));
}
