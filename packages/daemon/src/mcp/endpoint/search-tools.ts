import type { ChosenTool, SearchTool } from "@baton/core/toolset/exposed-tools";
import type { Tool } from "@modelcontextprotocol/server";
import type { ServerTool } from "../server-manager.ts";

const object = (properties: NonNullable<Tool["inputSchema"]["properties"]>, required: string[]): Tool["inputSchema"] => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const name = { type: "string", description: "The name from find-tools." };
const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The tools that replace the equipped tools if these are too many to list. */
export const searchDefinitions: Readonly<Record<SearchTool, Tool>> = {
  "find-tools": {
    name: "find-tools",
    title: "Find Tools",
    description: "Find equipped tools by words in their names and descriptions. Without words all tools are listed.",
    inputSchema: object({ query: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 100 } }, []),
    annotations: { title: "Find Tools", ...reading },
  },
  "describe-tool": {
    name: "describe-tool",
    title: "Describe Tool",
    description: "Show the full description and the arguments of an equipped tool.",
    inputSchema: object({ name }, ["name"]),
    annotations: { title: "Describe Tool", ...reading },
  },
  "call-tool": {
    name: "call-tool",
    title: "Call Tool",
    description: "Call an equipped tool from find-tools.",
    inputSchema: object({ name, arguments: { type: "object" } }, ["name"]),
    annotations: { title: "Call Tool", readOnlyHint: false, openWorldHint: true },
  },
};

const MAX_FOUND = 20;

export function findTools(chosen: readonly ChosenTool[], query: string, limit = MAX_FOUND): { ok: true } & Record<string, unknown> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = chosen.filter(({ tool }) => words.every((word) => `${tool.name} ${tool.description}`.toLowerCase().includes(word)));
  const tools = found.slice(0, limit).map(({ tool }) => ({ name: tool.name, description: tool.description.slice(0, 200) }));
  return { ok: true, tools, found: found.length };
}

export const describeTool = (chosen: ChosenTool, { listed }: ServerTool): { ok: true } & Record<string, unknown> => ({
  ok: true,
  name: chosen.tool.name,
  description: [listed.description, ...chosen.notes].join("\n\n"),
  inputSchema: listed.schema,
  hints: listed.hints,
});
