import { isRecord } from "@baton/core/text/json";

/** Converts a text to the number, boolean, list or object that a JSON Schema expects. Other values are unchanged. */
export function coerceArgument(value: unknown, property: unknown): unknown {
  const wanted = isRecord(property) ? property["type"] : undefined;
  if (typeof value !== "string") return value;
  if ((wanted === "integer" || wanted === "number") && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  if (wanted === "boolean" && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === "true";
  if (wanted !== "array" && wanted !== "object") return value;
  const parsed = parsedJson(value);
  return (wanted === "array" ? Array.isArray(parsed) : isRecord(parsed)) ? parsed : value;
}

/** The value of a JSON text. Undefined if the text is something else. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
