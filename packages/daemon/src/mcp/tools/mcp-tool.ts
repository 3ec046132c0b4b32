import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import type { ToolNote } from "@baton/core/protocol/toolset/toolset-profile";
import * as z from "zod";
import { actingTool, type Tool } from "../../tool/tool-types.ts";
import type { ServerConnection } from "../connection/server-connection.ts";
import { callOptions } from "../connection/call-options.ts";
import { serverSays, type ListedTool } from "./listed-tool.ts";

const MAX_LABEL = 100;

/** A server's tool as a tool of Baton. Rules use its name, and the server checks its arguments. */
export function toMcpTool(name: string, listed: ListedTool, connection: ServerConnection): Tool {
  const { definition } = connection;
  return actingTool({
    name,
    group: "mcp",
    action: "mcp",
    resource: name,
    hints: listed.hints,
    schema: listed.schema,
    description: listed.description || `The tool ${listed.tool} of the MCP server ${definition.name}.`,
    input: z.record(z.string(), z.unknown()),
    label: (input) => ({
      verb: definition.name,
      object: `${oneLine(listed.tool)} ${oneLine(JSON.stringify(input ?? {}))}`.slice(0, MAX_LABEL),
    }),
    access: () => [{ action: "mcp", resource: name }],
    preview: (input) =>
      Promise.resolve({
        type: "text",
        format: "plain",
        text: [
          `Server: ${definition.name}`,
          `Tool: ${escapeInvisible(listed.tool)}${listed.hints.title ? ` (${escapeInvisible(listed.hints.title)})` : ""}`,
          serverSays(listed.hints),
          `Arguments: ${escapeInvisible(JSON.stringify(input, undefined, 2))}`,
        ].join("\n"),
      }),
    run: (input, context) => connection.call(listed.tool, input, { blobs: context.ports.blobs, ...callOptions(context, definition.name) }),
  });
}

/** The tool with the user's notes after the server's description, marked as notes. */
export const withAnnotations = (tool: Tool, notes: readonly ToolNote[]): Tool =>
  notes.length === 0
    ? tool
    : { ...tool, description: [tool.description, ...notes.map(({ name, note }) => `User note (${name}): ${note}`)].join("\n\n") };
