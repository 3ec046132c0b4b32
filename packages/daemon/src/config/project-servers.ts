import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { McpServer } from "@baton/core/protocol/mcp";
import { foreignServers } from "./foreign-servers.ts";

type Read = { stamp: string; servers: Readonly<Record<string, McpServer>> };

/** The MCP servers that a project names, in `.mcp.json` and then in `.baton/mcp.json`; read again when a file has changed. */
export function openProjectServers(): (workspace: string) => { servers: Record<string, McpServer>; source: string } {
  const known = new Map<string, Read>();
  return (workspace) => {
    const found = [".mcp.json", path.join(".baton", "mcp.json")].map((file) => serversIn(path.join(workspace, file), known));
    return { servers: Object.assign({}, ...found) as Record<string, McpServer>, source: ".mcp.json" };
  };
}

function serversIn(file: string, read: Map<string, Read>): Readonly<Record<string, McpServer>> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > 1_000_000) return {};
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  const known = read.get(file);
  if (known?.stamp === stamp) return known.servers;
  const { servers } = foreignServers(readFileSync(file, "utf8"));
  read.set(file, { stamp, servers });
  return servers;
}
