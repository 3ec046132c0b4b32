import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { McpServer } from "@baton/core/protocol/config/mcp";
import { parseForeignServers } from "../parse-foreign-servers.ts";
import { positionAt, type ConfigDiagnostic } from "../load-config.ts";

type Read = { stamp: string; servers: Readonly<Record<string, McpServer>>; diagnostics: readonly ConfigDiagnostic[] };

/** The MCP servers in a project's `.mcp.json` and `.baton/mcp.json`. The second file wins. */
export type ProjectServers = {
  /** The current servers. A file is read again when it has changed. */
  of: (workspace: string) => { servers: Record<string, McpServer>; source: string };
  /** The problems of the files that have been read. */
  diagnostics: () => ConfigDiagnostic[];
};

export function openProjectServers(): ProjectServers {
  const known = new Map<string, Read>();
  return {
    of: (workspace) => {
      const found = [".mcp.json", path.join(".baton", "mcp.json")].map((file) => serversIn(path.join(workspace, file), known));
      return { servers: Object.assign({}, ...found) as Record<string, McpServer>, source: ".mcp.json" };
    },
    diagnostics: () => [...known.values()].flatMap(({ diagnostics }) => diagnostics),
  };
}

function serversIn(file: string, read: Map<string, Read>): Readonly<Record<string, McpServer>> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > 1_000_000) {
    read.delete(file);
    return {};
  }
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  const known = read.get(file);
  if (known?.stamp === stamp) return known.servers;
  const text = readFileSync(file, "utf8");
  const { servers, notes } = parseForeignServers(text);
  const noteDiagnostics = notes.map((note): ConfigDiagnostic => ({
    file,
    ...positionAt(text, note.at),
    severity: "warning",
    message: note.text,
  }));
  read.set(file, { stamp, servers, diagnostics: noteDiagnostics });
  return servers;
}
