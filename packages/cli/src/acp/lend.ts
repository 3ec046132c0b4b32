import { RequestError, type McpServer } from "@agentclientprotocol/sdk";
import type { Api } from "../command/link.ts";

type Settings = Parameters<Api["mcp"]["lend"]["subscribe"]>[0]["servers"];

/** Brings the servers of an editor along for a folder. Gives back what takes them away; throws -32602 where one cannot be read. */
export async function lend(api: Api, cwd: string, given: readonly McpServer[]): Promise<() => void> {
  if (given.length === 0) return () => undefined;
  const servers: Settings = Object.fromEntries(given.map((server) => [nameOf(server.name), settingsOf(server)]));
  const { promise: lent, resolve, reject } = Promise.withResolvers<void>();
  const lending = api.mcp.lend.subscribe(
    { cwd, servers },
    { onData: () => resolve(), onError: ({ message }) => reject(new RequestError(-32_602, `The MCP servers cannot be used: ${message}`)) },
  );
  await lent;
  return () => lending.unsubscribe();
}

/** Editors let a server have any name; here it is part of the names of its tools. */
const nameOf = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
    .replaceAll(/_{2,}/g, "_")
    .slice(0, 40)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "") || "server";

function settingsOf(server: McpServer): Settings[string] {
  if ("command" in server) return { command: server.command, args: server.args, env: asRecord(server.env) };
  return { type: server.type, url: server.url, headers: asRecord(server.headers) };
}

const asRecord = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
