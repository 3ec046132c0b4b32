import type { Access } from "@baton/core/protocol/rule";
import { isPlaceholder, type DeclaredAccess, type ScriptTool } from "./tool-definition.ts";

/** The action of a call of a tool that is a file. What the tool declares is judged as well. */
export const SCRIPT_TOOL = "tool";

/** The accesses of a call: the tool itself, and what it declares, with the paths in its arguments. */
export function accessesOf({ name, schema: { access } }: Pick<ScriptTool, "name" | "schema">, input: unknown): Access[] {
  const all = (action: string, resources: readonly string[]): Access[] => resources.map((resource) => ({ action, resource }));
  return [
    { action: SCRIPT_TOOL, resource: name },
    ...all("read", pathsOf(access.reads, input)),
    ...all("edit", pathsOf(access.writes, input)),
    ...all("command", access.runs),
    ...all(
      "fetch",
      access.hosts.map((host) => `https://${host}/`),
    ),
  ];
}

/** The actions that a mode needs for a tool. Every script can read files, so a mode without them has no such tools. */
export function actionsOf({ writes, runs, hosts }: DeclaredAccess): string[] {
  return ["read", ...(writes.length > 0 ? ["edit"] : []), ...(runs.length > 0 ? ["command"] : []), ...(hosts.length > 0 ? ["fetch"] : [])];
}

/** Whether a tool declares that it changes nothing and reaches no other system. */
export const isReadOnly = ({ writes, runs, hosts }: DeclaredAccess): boolean => writes.length + runs.length + hosts.length === 0;

/** A declaration in a few words, for the user. */
export function accessText({ reads, writes, runs, hosts }: DeclaredAccess): string {
  const parts = [
    ["reads", reads],
    ["writes", writes],
    ["runs", runs],
    ["reaches", hosts],
  ] as const;
  const said = parts.flatMap(([verb, list]) => (list.length === 0 ? [] : [`${verb} ${list.join(", ")}`]));
  return said.length === 0 ? "accesses nothing" : said.join("; ");
}

/** The paths that a call may change. */
export const writesOf = ({ schema: { access } }: Pick<ScriptTool, "schema">, input: unknown): string[] => pathsOf(access.writes, input);

function pathsOf(entries: readonly string[], input: unknown): string[] {
  const values: Record<string, unknown> = typeof input === "object" && input !== null ? { ...input } : {};
  return entries.flatMap((entry) => {
    if (!isPlaceholder(entry)) return [entry];
    return [values[entry.slice(1, -1)]].flat().filter((value) => typeof value === "string");
  });
}
