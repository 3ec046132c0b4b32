import { readFileSync } from "node:fs";
import * as z from "zod";
import { describeIssues } from "@baton/core/client/describe-issues";
import { usageError } from "../connection/exit-codes.ts";

/** A schema for the final answer of a turn. */
export type ExpectedAnswer = {
  ask: (prompt: string) => string;
  read: (answer: string) => { output: unknown } | { problem: string };
  repair: (problem: string) => string;
};

/** Reads a JSON Schema from a file. Throws a usage error for an invalid file. */
export function expectedAnswer(file: string): ExpectedAnswer {
  const text = read(file);
  const schema = schemaIn(text, file);
  const rule = `only JSON that matches this JSON Schema, without a fence and without any other text:\n\n${text.trim()}`;
  return {
    ask: (prompt) => `${prompt}\n\nYour final answer must be ${rule}`,
    read(answer) {
      const found = findJson(answer);
      if (!found) return { problem: "it is not JSON" };
      const parsed = schema.safeParse(found.value);
      return parsed.success ? { output: found.value } : { problem: describeIssues(parsed.error, found.value) };
    },
    repair: (problem) => `Your final answer is invalid: ${problem}.\n\nAnswer again with ${rule}`,
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usageError(`--schema: ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function schemaIn(text: string, file: string): z.ZodType {
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new Error("a schema must be an object");
    return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema); // throws for parts that it does not support
  } catch (error) {
    throw usageError(`--schema: ${file} is not a valid JSON Schema: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Models often put JSON into a fence or write a sentence before it. */
function findJson(answer: string): { value: unknown } | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/.exec(answer)?.[1];
  const [first, last] = [answer.search(/[[{]/), Math.max(answer.lastIndexOf("}"), answer.lastIndexOf("]"))];
  for (const text of [answer, fenced, first < 0 ? undefined : answer.slice(first, last + 1)]) {
    if (text === undefined) continue;
    try {
      return { value: JSON.parse(text) };
    } catch {
      continue; // try the next candidate
    }
  }
  return undefined;
}
