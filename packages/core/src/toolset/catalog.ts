import type { ToolHints } from "../protocol/mcp.ts";

/** A tool that may be chosen. `name` is unique; `refId` changes with all that its server says of it; `tokens` is an estimate. */
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

/** All that may be chosen from now, and the servers that are not there. */
export type ToolCatalog = { tools: readonly CatalogTool[]; servers: readonly CatalogServer[] };

/** One of both names a tool. `namespacedName` is `server__tool`; `server.tool` is understood as well. */
export type ToolRef = { namespacedName?: string | undefined; refId?: string | undefined };

export function findTool({ tools }: ToolCatalog, { namespacedName, refId }: ToolRef): CatalogTool | undefined {
  if (refId !== undefined) return tools.find((tool) => tool.refId === refId);
  return tools.find(({ name }) => name === namespacedName) ?? tools.find(({ server, tool }) => `${server}.${tool}` === namespacedName);
}

export const refName = ({ namespacedName, refId }: ToolRef): string => namespacedName ?? refId ?? "";
