import { RequestError, type McpServer } from "@agentclientprotocol/sdk";
import { oneLine } from "@baton/core/text/sanitize";
import type { Api } from "../connection/daemon-connection.ts";

type Settings = Parameters<Api["mcp"]["lend"]["subscribe"]>[0]["servers"];

/** MCP servers that the editor provides. `remove` removes them; `newProblems` returns problems since the last call. */
export type RegisteredClientServers = { remove: () => void; newProblems: () => Promise<readonly string[]> };

/** Registers the servers of an editor for a folder. Throws -32602 if the daemon cannot read one. */
export async function registerClientServers(api: Api, cwd: string, entries: readonly McpServer[]): Promise<RegisteredClientServers> {
  if (entries.length === 0) return { remove: () => undefined, newProblems: () => Promise.resolve([]) };
  const servers: Settings = Object.fromEntries(entries.map((server) => [serverName(server.name), serverSettings(server)]));
  const { promise: registered, resolve, reject } = Promise.withResolvers<void>();
  const subscription = api.mcp.lend.subscribe(
    { cwd, servers },
    {
      onData: () => resolve(),
      onError: ({ message }) => reject(new RequestError(-32_602, `These MCP servers cannot be used: ${message}`)),
    },
  );
  await registered;
  const reported = new Set<string>(); // servers that Baton has reported to the editor and that still do not work
  return {
    remove: () => subscription.unsubscribe(),
    async newProblems() {
      const rows = await api.mcp.list.query({ cwd });
      const lacking = rows.filter(
        ({ name, problem, status }) => name in servers && problem !== undefined && status !== "needs_approval", // that is a request of its own
      );
      const before = new Set(reported);
      reported.clear();
      for (const { name } of lacking) reported.add(name);
      return lacking
        .filter(({ name }) => !before.has(name))
        .map(({ name, problem = "" }) => `The MCP server ${oneLine(name)} cannot be used: ${oneLine(problem)}`);
    },
  };
}

/** Editors allow any server name; in Baton the name becomes part of tool names. */
const serverName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
    .replaceAll(/_{2,}/g, "_")
    .slice(0, 40)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "") || "server";

function serverSettings(server: McpServer): Settings[string] {
  if ("command" in server) return { command: server.command, args: server.args, env: asRecord(server.env) };
  return { type: server.type, url: server.url, headers: asRecord(server.headers) };
}

const asRecord = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
