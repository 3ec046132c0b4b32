import { omitUndefined } from "@baton/core/text/omit-undefined";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { printJson, printLines } from "../output.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";
import { withoutTomlTable, textWithParents, writeConfigEntry, appendTomlTable } from "./edit-agent-config.ts";

const agents = ["claude", "opencode", "gemini", "codex", "cursor", "vscode"] as const;
type AgentName = (typeof agents)[number];

export type InstallOptions = {
  profile?: string;
  server?: string;
  http?: boolean;
  move?: boolean;
  write?: boolean;
  cwd?: string;
  json?: boolean;
};

/** How an agent reaches the endpoint: it starts a program, or it connects to an address with a token. */
type Transport = { command: string; args: string[]; env?: Record<string, string> } | { url: string; token: string };

/** Where an agent keeps its MCP servers, under which key, and in which form. */
type AgentConfig = { file: (cwd: string) => string; keys: readonly string[]; entry: (transport: Transport) => unknown; follows: boolean };

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const plain = (transport: Transport) =>
  "url" in transport ? { type: "http", url: transport.url, headers: bearer(transport.token) } : transport;

/** `follows`: the agent reloads its tool list on change notifications. */
const paths: Record<AgentName, AgentConfig> = {
  claude: { file: (cwd) => path.join(cwd, ".mcp.json"), keys: ["mcpServers"], follows: true, entry: plain },
  opencode: {
    file: (cwd) => path.join(cwd, "opencode.json"),
    keys: ["mcp"],
    follows: true,
    entry: (transport) =>
      "url" in transport
        ? { type: "remote", url: transport.url, headers: bearer(transport.token), enabled: true }
        : {
            type: "local",
            command: [transport.command, ...transport.args],
            ...omitUndefined({ environment: transport.env }),
            enabled: true,
          },
  },
  gemini: {
    file: (cwd) => path.join(cwd, ".gemini", "settings.json"),
    keys: ["mcpServers"],
    follows: true,
    entry: (transport) => ("url" in transport ? { httpUrl: transport.url, headers: bearer(transport.token) } : transport),
  },
  codex: { file: () => path.join(homedir(), ".codex", "config.toml"), keys: [], follows: false, entry: plain },
  cursor: { file: (cwd) => path.join(cwd, ".cursor", "mcp.json"), keys: ["mcpServers"], follows: false, entry: plain },
  vscode: {
    file: (cwd) => path.join(cwd, ".vscode", "mcp.json"),
    keys: ["servers"],
    follows: false,
    entry: (transport) => ("url" in transport ? plain(transport) : { type: "stdio", ...transport }),
  },
};

/** Prints the MCP configuration for another agent, or writes it into the agent's config file. */
export async function install(host: string, options: InstallOptions): Promise<void> {
  const agentName = agents.find((each) => each === host);
  if (!agentName) throw usageError(`There is no agent ${host}. Choose one of: ${agents.join(", ")}.`);
  const {
    server,
    profile = server === undefined ? agentName : `${agentName}-${server.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
    http = false,
    move = false,
    write = false,
    cwd = process.cwd(),
    json = false,
  } = options;
  const agent = paths[agentName];
  const policy = server === undefined ? (agent.follows ? "dual" : "flat") : "proxy";
  const file = agent.file(cwd);
  const name = server === undefined ? "baton" : `baton-${server}`;
  const keys = [...agent.keys, name];
  const isTable = agentName === "codex";
  const head = `[mcp_servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`;
  const checkFile = () => (isTable ? withoutTomlTable(file, head) : textWithParents(file, keys));
  if (write) checkFile(); // check first, because opening an endpoint voids the old token
  const endpoint = { cwd, profile, policy, ...omitUndefined({ server }) } as const;
  const opened = await withConnection(async ({ api }) => {
    if (http) return api.mcp.openEndpoint.mutate({ ...endpoint, move });
    await api.mcp.prepareProfile.mutate(endpoint);
    return undefined;
  });
  const transport: Transport = opened
    ? { url: opened.url, token: opened.token }
    : { command: process.execPath, args: [program(), "mcp", "serve", "--profile", profile, "--cwd", path.resolve(cwd)], ...home() };
  const text = isTable ? toml(transport, head) : undefined;
  const entry = agent.entry(transport);
  if (write && text !== undefined) appendTomlTable(file, head, text);
  else if (write) writeConfigEntry(file, keys, entry);
  if (json)
    return printJson({ host: agentName, profile, policy, file, entry, written: write, ...omitUndefined({ voided: opened?.voided }) });
  const nested = agent.keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { [name]: entry });
  const snippet = text ?? JSON.stringify(nested, undefined, 2);
  printLines([
    ...(write ? [`Added to ${file}.`] : [`Add this to ${file} (or run the command again with --write):`, "", snippet, ""]),
    ...(opened?.voided ? ["The previous token of this profile no longer works. Update the clients that use it."] : []),
    ...(file.startsWith(path.resolve(cwd) + path.sep) ? [projectFileNote(http)] : []),
    ...(server === undefined ? profileNotes(profile, policy) : [`The agent gets the server ${server}, with its own names.`]),
    "Your rules judge each call, and Baton asks in your inbox.",
  ]);
}

const projectFileNote = (hasToken: boolean): string =>
  hasToken
    ? "This file is in the project and contains a token. Whoever has the token can call these tools, so keep the file out of git."
    : "This file is in the project and contains paths of this machine, so it does not work on another one.";

function profileNotes(profile: string, policy: "dual" | "flat" | "proxy"): string[] {
  const listing = policy === "dual" ? "in turn with the tools for choosing" : "together with the tools for choosing";
  return [
    `The agent gets the tools of the profile ${profile}, ${listing}.`,
    `\`baton toolsets build NAME TOOL... --profile ${profile}\` selects tools.`,
    `\`baton toolsets equip NAME --profile ${profile}\` activates the selection.`,
  ];
}

/** Agents pass on few variables. Without BATON_HOME the program would use another daemon. */
function home(): { env?: Record<string, string> } {
  const { BATON_HOME } = process.env;
  return BATON_HOME === undefined ? {} : { env: { BATON_HOME } };
}

const program = (): string => fileURLToPath(new URL("main.js", import.meta.url)); // this file is bundled into main.js

function toml(transport: Transport, head: string): string {
  const quoted = (text: string) => JSON.stringify(text);
  const lines =
    "url" in transport
      ? [`url = ${quoted(transport.url)}`, `http_headers = { Authorization = ${quoted(`Bearer ${transport.token}`)} }`]
      : [
          `command = ${quoted(transport.command)}`,
          `args = [${transport.args.map(quoted).join(", ")}]`,
          ...Object.entries(transport.env ?? {}).map(([name, value]) => `env = { ${name} = ${quoted(value)} }`),
        ];
  return [head, ...lines].join("\n");
}
