import type { ApprovalStatus } from "@baton/core/text/approval-status-text";
import * as z from "zod";

/** The longest time that a tool may take, in seconds, and the time if its schema does not say. */
const MAX_SECONDS = 600;
const DEFAULT_SECONDS = 60;
const MAX_ENTRIES = 50;
const MAX_DESCRIPTION = 4_000;

const Path = z
  .string()
  .min(1)
  .max(1_000)
  .refine((path) => !/[*?]/.test(path), "A path has no wildcard. Name the folder: it covers every file in it.")
  .refine((path) => isPlaceholder(path) || !/[{}]/.test(path), "A placeholder is a whole entry, such as {path}.");

/**
 * The resources that a tool accesses. `{name}` in `reads` and `writes` is the path in this argument of the call. Programs and hosts are
 * plain names.
 */
export const DeclaredAccess = z.strictObject({
  reads: z.array(Path).max(MAX_ENTRIES).default([]),
  writes: z.array(Path).max(MAX_ENTRIES).default([]),
  runs: z
    .array(z.string().regex(/^[\w.+-]+$/, "Name a program without a path and without arguments, such as git."))
    .max(MAX_ENTRIES)
    .default([]),
  hosts: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/, "Name a host in lower case without https://, such as api.example.com."),
    )
    .max(MAX_ENTRIES)
    .default([]),
});
export type DeclaredAccess = z.infer<typeof DeclaredAccess>;

/** The schema of a tool, in `NAME.tool.json` beside its script. `input` is a JSON Schema of an object. `timeout` is in seconds. */
export const ToolSchema = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().trim().min(1).max(MAX_DESCRIPTION),
  input: z.record(z.string(), z.unknown()),
  access: DeclaredAccess,
  timeout: z.number().positive().max(MAX_SECONDS).default(DEFAULT_SECONDS),
});
export type ToolSchema = z.infer<typeof ToolSchema>;

/** A folder of tools. Those of a `project` come with it; those of the `user` are in the config folder. */
export type ToolFolder = { folder: string; label: string; layer: "user" | "project" };

/**
 * A tool that is a script. `script` is its real path, and `label` names it for the user. `launch` runs it. `hash` covers the schema, the
 * script and the files that the script includes.
 */
export type ScriptTool = {
  name: string;
  schema: ToolSchema;
  checkInput: z.ZodType;
  script: string;
  label: string;
  launch: { file: string; args: readonly string[] };
  from: ToolFolder;
  hash: string;
};

/** A tool of a workspace, and whether it may run. */
export type KnownTool = { tool: ScriptTool; status: ApprovalStatus };

/** A problem of a file in a folder of tools. The tool does not exist until it is fixed. */
export type ToolProblem = { file: string; message: string };

/** Whether an entry stands for an argument of the call. */
export const isPlaceholder = (entry: string): boolean => /^\{[\w-]+\}$/.test(entry);
