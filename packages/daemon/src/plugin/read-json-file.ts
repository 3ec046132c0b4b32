import { readFile } from "node:fs/promises";
import path from "node:path";
import { withoutByteOrderMark } from "@baton/core/text/json";
import { parse, type ParseError } from "jsonc-parser";

const MAX_JSON = 1024 * 1024;

/** The JSON of a file of the plugin. Undefined if there is none. Duplicate keys cannot hide anything: the last one is also the one that is shown. */
export async function readJsonFile(root: string, name: string): Promise<{ value: unknown } | { problem: string } | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(root, ...name.split("/")), "utf8");
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : { problem: `${name} cannot be read.` };
  }
  if (text.length > MAX_JSON) return { problem: `${name} is larger than ${MAX_JSON / 1024 / 1024} MB.` };
  const errors: ParseError[] = [];
  const value: unknown = parse(withoutByteOrderMark(text), errors, { disallowComments: true });
  const [error] = errors;
  if (error) return { problem: `${name} is not valid JSON: line ${text.slice(0, error.offset).split("\n").length}.` };
  return { value };
}
