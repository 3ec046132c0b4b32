import { omitUndefined } from "@baton/core/text/omit-undefined";
import { parseForeignServers, type ForeignServers } from "./parse-foreign-servers.ts";

/** Reads the MCP servers in a file of another program, JSON or Codex's TOML. Adds a note if there are none. */
export async function parseImportedServers(text: string): Promise<ForeignServers> {
  const read = /^\s*\[mcp_servers/m.test(text) ? await parseCodexServers(text) : parseForeignServers(text);
  if (Object.keys(read.servers).length > 0) return read;
  const keys = "mcpServers, servers, context_servers, mcp or [mcp_servers.NAME]";
  return {
    servers: {},
    notes: [...read.notes, { at: 0, text: `No servers were found. Baton looks for them under ${keys}, in JSON or TOML.` }],
  };
}

type Table = Record<string, unknown>;

async function parseCodexServers(text: string): Promise<ForeignServers> {
  const { parse } = await import("smol-toml");
  try {
    const servers = (parse(text) as { mcp_servers?: Record<string, Table> }).mcp_servers ?? {}; // checked below
    return parseForeignServers(
      JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(servers).map(([name, table]) => [name, toCommonNames(table)])) }),
    );
  } catch (error) {
    return {
      servers: {},
      notes: [
        { at: 0, text: `The file is not valid TOML: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}.` },
      ],
    };
  }
}

/** A table of Codex with the names that most other programs use. */
function toCommonNames({ http_headers = {}, bearer_token_env_var: token, tool_timeout_sec: timeout, ...rest }: Table): Table {
  const bearer = typeof token === "string" ? { Authorization: `Bearer \${${token}}` } : {};
  const headers = { ...(http_headers as Table), ...bearer };
  return { ...rest, ...(Object.keys(headers).length > 0 ? { headers } : {}), ...omitUndefined({ timeout }) };
}
