import { readFileSync } from "node:fs";
import * as z from "zod";
import { describeIssues } from "@baton/core/client/invalid-input";
import { usage } from "../connection/exit-codes.ts";

/** What the last answer of a turn has to be: JSON that fits this schema. */
export type ExpectedAnswer = {
  ask: (prompt: string) => string;
  read: (answer: string) => { output: unknown } | { problem: string };
  repair: (problem: string) => string;
};

/** Reads a JSON Schema from a file. A file that is none is a wrong use, said before anything is begun. */
export function expectedAnswer(file: string): ExpectedAnswer {
  const text = read(file);
  const schema = schemaIn(text, file);
  const rule = `only JSON that fits this JSON Schema, without a fence and without a word before or after it:\n\n${text.trim()}`;
  return {
    ask: (prompt) => `${prompt}\n\nYour last answer has to be ${rule}`,
    read(answer) {
      const found = jsonIn(answer);
      if (!found) return { problem: "it is no JSON" };
      const parsed = schema.safeParse(found.value);
      return parsed.success ? { output: found.value } : { problem: describeIssues(parsed.error, found.value) };
    },
    repair: (problem) => `Your last answer does not fit: ${problem}.\n\nGive it again, as ${rule}`,
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usage(`--schema: ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function schemaIn(text: string, file: string): z.ZodType {
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("a schema is an object");
    return z.fromJSONSchema(given as z.core.JSONSchema.JSONSchema); // what it cannot use it says by throwing
  } catch (error) {
    throw usage(`--schema: ${file} is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Models like to put a fence around JSON, or a sentence before it. */
function jsonIn(answer: string): { value: unknown } | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/.exec(answer)?.[1];
  const [first, last] = [answer.search(/[[{]/), Math.max(answer.lastIndexOf("}"), answer.lastIndexOf("]"))];
  for (const text of [answer, fenced, first < 0 ? undefined : answer.slice(first, last + 1)]) {
    if (text === undefined) continue;
    try {
      return { value: JSON.parse(text) };
    } catch {
      continue; // the next reading may do
    }
  }
  return undefined;
}
