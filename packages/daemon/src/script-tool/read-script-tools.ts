import { hash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { actionTable, canonicalToolName, toolCalledAs, toolTable } from "@baton/core/tool/tool-table";
import { parseTree, type ParseError, parse } from "jsonc-parser";
import { jsonErrorMessage } from "../config/json-error-message.ts";
import { scriptAndIncluded } from "../script-hash/hash-scripts.ts";
import { inputValidator } from "./input-validator.ts";
import { scriptProgram } from "./script-program.ts";
import { isPlaceholder, ToolSchema, type ScriptTool, type ToolFolder, type ToolProblem } from "./tool-definition.ts";

const ENDING = ".tool.json";
const NAME = /^[a-z][a-z0-9_-]{0,49}$/;
const MAX_TOOLS = 100;
const MAX_SCHEMA_BYTES = 64 * 1024;

/** Names that mean something else in calls and rules. */
const TAKEN: ReadonlySet<string> = new Set([...toolTable, ...actionTable].map(({ name }) => name));
const isTaken = (name: string): boolean =>
  TAKEN.has(name) || canonicalToolName(name) !== name || toolCalledAs(name) !== undefined || name === "hook" || name === "get_prompt";

type Parsed = { schema: ToolSchema; checkInput: ScriptTool["checkInput"] } | { problem: string };

/** Reads the tools of folders, each schema again when its text has changed. Of two tools with one name the first counts. */
export function openToolReader(find: (program: string) => string | undefined) {
  const parsed = new Map<string, { text: string; result: Parsed }>();
  const parseCached = (file: string, text: string): Parsed => {
    const before = parsed.get(file);
    if (before?.text === text) return before.result;
    const result = parseSchema(text);
    parsed.set(file, { text, result });
    return result;
  };

  const readOne = (name: string, names: readonly string[], from: ToolFolder): ScriptTool | string => {
    if (!NAME.test(name) || name.includes("__"))
      return "The name of a tool has 1 to 50 lower-case letters, digits, - and _, begins with a letter, and has no double _.";
    if (isTaken(name)) return `${name} is the name of a tool or an action of Baton. Rename the script and its schema.`;
    const scripts = names.filter((each) => !each.endsWith(ENDING) && path.parse(each).name === name);
    const [script] = scripts;
    if (script === undefined) return `There is no script ${name}.* beside the schema.`;
    if (scripts.length > 1) return `Several files can be its script: ${scripts.join(", ")}. Leave one of them.`;
    const place = path.join(from.folder, script);
    const real = realpathSync(place);
    if (!statSync(real).isFile()) return `${script} is no file.`;
    if (from.layer === "project" && real !== path.join(from.folder, script))
      return `${script} is a link to ${real}. A script of a project must be in its own folder.`;
    const file = path.join(from.folder, name + ENDING);
    if (statSync(file).size > MAX_SCHEMA_BYTES) return `The schema is larger than ${MAX_SCHEMA_BYTES / 1024} KB.`;
    const text = readFileSync(file, "utf8");
    const schema = parseCached(file, text);
    if ("problem" in schema) return schema.problem;
    const launch = scriptProgram(real, find);
    if ("problem" in launch) return `${script}: ${launch.problem}`;
    const folders = { folder: from.folder, project: from.folder };
    const approved = [from.layer, name, text, launch.args.length > 0, scriptAndIncluded(real, folders)];
    return {
      name,
      ...schema,
      script: real,
      label: `${from.label}/${script}`,
      launch,
      from,
      hash: hash("sha256", JSON.stringify(approved)),
    };
  };

  return (folders: readonly ToolFolder[]): { tools: ScriptTool[]; problems: ToolProblem[] } => {
    const tools = new Map<string, ScriptTool>();
    const problems: ToolProblem[] = [];
    for (const each of folders) {
      const from = existing(each);
      if (from === undefined) continue;
      if ("problem" in from) {
        problems.push({ file: each.label, message: from.problem });
        continue;
      }
      const names = readdirSync(from.folder).toSorted();
      const schemas = names.filter((name) => name.endsWith(ENDING));
      if (schemas.length > MAX_TOOLS)
        problems.push({ file: from.label, message: `The folder has ${schemas.length} tools. Only the first ${MAX_TOOLS} are used.` });
      for (const schema of schemas.slice(0, MAX_TOOLS)) {
        const name = schema.slice(0, -ENDING.length);
        const other = tools.get(name);
        const found = other
          ? `${other.label} has the same name and is used instead. Rename one of them.`
          : attempt(() => readOne(name, names, from));
        if (typeof found === "string") problems.push({ file: `${from.label}/${schema}`, message: found });
        else tools.set(name, found);
      }
    }
    return { tools: [...tools.values()], problems };
  };
}

/** The folder by its real path. Undefined if there is none. */
function existing(from: ToolFolder): ToolFolder | { problem: string } | undefined {
  if (!statSync(from.folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const folder = realpathSync(from.folder);
  const project = path.resolve(from.folder, "../..");
  if (from.layer === "project" && folder !== path.join(realpathSync(project), ".baton", "tools"))
    return { problem: `The folder is a link to ${folder}. The tools of a project must be in its own folder.` };
  return { ...from, folder };
}

function attempt(read: () => ScriptTool | string): ScriptTool | string {
  try {
    return read();
  } catch (error) {
    return `It cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function parseSchema(text: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) return { problem: `Line ${text.slice(0, first.offset).split("\n").length}: ${jsonErrorMessage(first)}.` };
  if (root?.type !== "object") return { problem: "The schema must be one object with description, input and access." };
  const result = ToolSchema.safeParse(parse(text, [], { allowTrailingComma: true }));
  if (!result.success) {
    const [issue] = result.error.issues;
    return { problem: `The schema is invalid at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? "no reason"}` };
  }
  const { input, access } = result.data;
  const checkInput = inputValidator(input);
  if ("problem" in checkInput) return checkInput;
  const properties = Object.keys(input["properties"] ?? {});
  const unknown = [...access.reads, ...access.writes].find((entry) => isPlaceholder(entry) && !properties.includes(entry.slice(1, -1)));
  if (unknown !== undefined) return { problem: `access names ${unknown}, but input has no such property.` };
  return { schema: result.data, checkInput };
}
