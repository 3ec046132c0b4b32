import { parseForeignServers, type ForeignServers } from "./parse-foreign-servers.ts";

/** The servers of another program's file: as its JSON has them, or the tables of Codex. Says so when there are none. */
export async function parseImportedServers(text: string): Promise<ForeignServers> {
  const read = /^\s*\[mcp_servers/m.test(text) ? await ofCodex(text) : parseForeignServers(text);
  if (Object.keys(read.servers).length > 0) return read;
  const places = "mcpServers, servers, context_servers, mcp or [mcp_servers.NAME]";
  return {
    servers: {},
    notes: [...read.notes, { at: 0, text: `No servers were found: they are looked for under ${places}, in JSON or TOML.` }],
  };
}

type Table = Record<string, unknown>;

async function ofCodex(text: string): Promise<ForeignServers> {
  const { parse } = await import("smol-toml");
  try {
    const servers = (parse(text) as { mcp_servers?: Record<string, Table> }).mcp_servers ?? {}; // what is in them is looked at below
    return parseForeignServers(
      JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(servers).map(([name, table]) => [name, plain(table)])) }),
    );
  } catch (error) {
    return {
      servers: {},
      notes: [{ at: 0, text: `It is no TOML: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}.` }],
    };
  }
}

/** A table of Codex in the words that most others use. */
function plain({ http_headers = {}, bearer_token_env_var: token, tool_timeout_sec: timeout, ...rest }: Table): Table {
  const bearer = typeof token === "string" ? { Authorization: `Bearer \${${token}}` } : {};
  const headers = { ...(http_headers as Table), ...bearer };
  return { ...rest, ...(Object.keys(headers).length > 0 ? { headers } : {}), ...(timeout === undefined ? {} : { timeout }) };
}
