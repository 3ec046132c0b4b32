import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { formatCount } from "@baton/core/text/format";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok, type ToolExecutionResult, type ToolContext } from "../tool-types.ts";
import { explainPathError } from "./may-reveal-file.ts";
import { escapeHidden } from "../result-text.ts";

const MAX_ENTRIES = 1_000;

export const listFiles = actingTool({
  ...toolFields("list_files"),
  description: "List the content of a folder, by default the workspace. With recursive, ignored files are skipped.",
  input: toolArguments({ path: z.string().min(1).optional(), recursive: z.boolean().optional() }),
  label: (input) => ({ verb: "list", object: escapeHidden(inputField(input, "path")) || "." }),
  access: ({ path = "." }) => [{ action: "read", resource: path }],
  run: ({ path = ".", recursive = false }, context) => (recursive ? listAll(path, context) : listOne(path, context)),
});

async function listOne(path: string, { ports, signal }: ToolContext): Promise<ToolExecutionResult> {
  const listed = await ports.files.list(path, signal);
  if ("fault" in listed) return failed(explainPathError(listed, path));
  const names = listed.entries
    .filter(({ name }) => name !== ".git")
    .map(({ name, kind }) => (kind === "folder" ? `${name}/` : kind === "link" ? `${name}@` : name));
  const left = leftOutLine(listed.leftOut);
  return names.length === 0
    ? ok(`${listed.relative} is empty.${left}`, { end: "empty" })
    : ok(capped(names) + left, { end: formatCount(names.length, "entry", "entries") });
}

async function listAll(path: string, { ports, signal }: ToolContext): Promise<ToolExecutionResult> {
  const place = ports.files.stat(path);
  if ("fault" in place) return failed(explainPathError(place, path));
  if (place.kind !== "folder") return failed(`${place.relative} is a file. Use read_file to read it.`);
  const found = await ports.search.files({ path }, signal);
  if ("fault" in found) return failed(found.message);
  const left = leftOutLine(found.leftOut);
  if (found.files.length === 0) return ok(`There are no files in ${place.relative}.${left}`, { end: "none" });
  return ok(capped(found.files) + left, { end: formatCount(found.files.length, "file") });
}

const leftOutLine = (files: number): string => (files > 0 ? `\n(${formatCount(files, "file")} without read permission omitted)` : "");

const capped = (names: readonly string[]): string =>
  names.length <= MAX_ENTRIES
    ? names.join("\n")
    : `${names.slice(0, MAX_ENTRIES).join("\n")}\n(${MAX_ENTRIES} of ${names.length}; list a subfolder, or use glob)`;
