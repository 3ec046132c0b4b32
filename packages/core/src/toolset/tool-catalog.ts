import type { ToolHints } from "../protocol/config/mcp.ts";

/** A tool of an MCP server. `name` is unique. `refId` changes with anything that its server says about it. `tokens` is an estimate. */
export type CatalogTool = {
  name: string;
  server: string;
  tool: string;
  description: string;
  hints: ToolHints;
  refId: string;
  tokens: number;
};

export type CatalogServer = { name: string; status: "available" | "unavailable" | "disabled"; error?: string };

/** All available tools, and all servers. */
export type ToolCatalog = { tools: readonly CatalogTool[]; servers: readonly CatalogServer[] };

/** Names a tool by one of the two fields. `namespacedName` is `server__tool`; `server.tool` works as well. */
export type ToolRef = { namespacedName?: string | undefined; refId?: string | undefined };

export function findTool({ tools }: ToolCatalog, { namespacedName, refId }: ToolRef): CatalogTool | undefined {
  if (refId !== undefined) return tools.find((tool) => tool.refId === refId);
  return tools.find(({ name }) => name === namespacedName) ?? tools.find(({ server, tool }) => `${server}.${tool}` === namespacedName);
}

export const refName = ({ namespacedName, refId }: ToolRef): string => namespacedName ?? refId ?? "";
