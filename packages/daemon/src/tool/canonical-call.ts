import { parse, type ParseError } from "jsonc-parser";
import * as z from "zod";
import type { Tool } from "./tool-types.ts";
import { isRecord } from "./arguments.ts";

/** A call as a model sent it. `raw`: arguments that are not a JSON object. */
type Sent = { tool: string; input?: unknown; raw?: string | undefined };
export type CanonicalCall = { tool: string; input: unknown } | { tool: string; raw: string };
type Tools = { get: (name: string) => Tool | undefined };

/** Names of other agents for tools with the same effect and arguments, in lower case without separators. */
const NAMES: Readonly<Record<string, string>> = {
  bash: "run_command",
  shell: "run_command",
  execcommand: "run_command",
  read: "read_file",
  viewfile: "read_file",
  openfile: "read_file",
  write: "write_file",
  createfile: "write_file",
  edit: "edit_file",
  strreplace: "edit_file",
  grep: "search_text",
  searchfiles: "search_text",
  ls: "list_files",
  listdir: "list_files",
  webfetch: "fetch_url",
  websearch: "web_search",
  searchweb: "web_search",
  todowrite: "update_todo_list",
};

/** Names of other agents for arguments, in lower case without separators. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  filepath: "path",
  filename: "path",
  file: "path",
  targetfile: "path",
  directory: "path",
  oldstring: "old_text",
  newstring: "new_text",
  oldstr: "old_text",
  newstr: "new_text",
  cmd: "command",
  regex: "pattern",
  contents: "content",
  filetext: "content",
};

/** Arguments in which models explain a call. They have no effect. */
const REMARKS: ReadonlySet<string> = new Set(["description", "explanation"]);

/**
 * Converts a call to Baton's names if it has exactly one meaning. It accepts other agents' names of tools and arguments, numbers and
 * booleans as texts, trailing commas, and missing arguments. Anything else is unchanged, so that the model learns what is wrong.
 */
export function canonicalCall(sent: Sent, tools: Tools): CanonicalCall {
  const tool = findTool(sent.tool, tools);
  const name = tool?.name ?? sent.tool;
  const parsedInput = sent.raw === undefined ? { input: sent.input } : objectIn(sent.raw);
  if (parsedInput === undefined) return { tool: name, raw: sent.raw ?? "" };
  return { tool: name, input: tool ? canonicalInput(tool, parsedInput.input) : parsedInput.input };
}

function findTool(sent: string, tools: Tools): Tool | undefined {
  const exact = tools.get(sent);
  if (exact) return exact;
  const bare = sent.replace(/^(?:functions|default_api|tools)[.:]/, "");
  return tools.get(bare) ?? tools.get(snakeCase(bare)) ?? tools.get(NAMES[plain(bare)] ?? "");
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Converts `READ_FILE`, `read-file` and `readFile` to `read_file`. */
const snakeCase = (name: string): string =>
  (/[a-z]/.test(name) ? name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2") : name).toLowerCase().replaceAll("-", "_");

/** The object in a JSON text. Undefined if the text is incomplete or something else. */
function objectIn(raw: string): { input: unknown } | undefined {
  if (raw.trim() === "") return { input: {} };
  const errors: ParseError[] = [];
  const input: unknown = parse(raw, errors, { allowTrailingComma: true, disallowComments: true });
  return errors.length === 0 && isRecord(input) ? { input } : undefined;
}

function canonicalInput(tool: Tool, input: unknown): unknown {
  if (!isRecord(input) || tool.input.safeParse(input).success) return input;
  const properties = propertiesOf(tool);
  const names = Object.keys(properties);
  const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    if (names.includes(key)) return [[key, typed(value, properties[key])]];
    const meant = [snakeCase(key), ARGUMENTS[plain(key)] ?? ""].find((name) => names.includes(name) && !Object.hasOwn(input, name));
    if (meant !== undefined) return [[meant, typed(value, properties[meant])]];
    return REMARKS.has(key) ? [] : [[key, value]];
  });
  const isClear = new Set(entries.map(([key]) => key)).size === entries.length;
  const canonical = Object.fromEntries(entries);
  return isClear && tool.input.safeParse(canonical).success ? canonical : input;
}

function propertiesOf({ schema, input }: Tool): Record<string, unknown> {
  const { properties } = schema ?? z.toJSONSchema(input, { io: "input" });
  return isRecord(properties) ? properties : {};
}

/** Converts a text to the number or boolean that the schema expects. */
function typed(value: unknown, property: unknown): unknown {
  const wanted = isRecord(property) ? property["type"] : undefined;
  if (typeof value !== "string") return value;
  if ((wanted === "integer" || wanted === "number") && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  if (wanted === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
