import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { printJson, printLines } from "../output.ts";
import { usage } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";
import { withoutTomlTable, textWithParents, writeConfigEntry, appendTomlTable } from "./edit-agent-config.ts";

export const agents = ["claude", "opencode", "gemini", "codex", "cursor", "vscode"] as const;
export type AgentName = (typeof agents)[number];

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
type Way = { command: string; args: string[]; env?: Record<string, string> } | { url: string; token: string };

/** Where an agent keeps its MCP servers, under which key, and in which form. */
type Place = { file: (cwd: string) => string; keys: readonly string[]; entry: (way: Way) => unknown; follows: boolean };

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const plain = (way: Way) => ("url" in way ? { type: "http", url: way.url, headers: bearer(way.token) } : way);

/** `follows`: the agent reloads its tool list on change notifications. */
const places: Record<AgentName, Place> = {
  claude: { file: (cwd) => path.join(cwd, ".mcp.json"), keys: ["mcpServers"], follows: true, entry: plain },
  opencode: {
    file: (cwd) => path.join(cwd, "opencode.json"),
    keys: ["mcp"],
    follows: true,
    entry: (way) =>
      "url" in way
        ? { type: "remote", url: way.url, headers: bearer(way.token), enabled: true }
        : { type: "local", command: [way.command, ...way.args], ...(way.env ? { environment: way.env } : {}), enabled: true },
  },
  gemini: {
    file: (cwd) => path.join(cwd, ".gemini", "settings.json"),
    keys: ["mcpServers"],
    follows: true,
    entry: (way) => ("url" in way ? { httpUrl: way.url, headers: bearer(way.token) } : way),
  },
  codex: { file: () => path.join(homedir(), ".codex", "config.toml"), keys: [], follows: false, entry: plain },
  cursor: { file: (cwd) => path.join(cwd, ".cursor", "mcp.json"), keys: ["mcpServers"], follows: false, entry: plain },
  vscode: {
    file: (cwd) => path.join(cwd, ".vscode", "mcp.json"),
    keys: ["servers"],
    follows: false,
    entry: (way) => ("url" in way ? plain(way) : { type: "stdio", ...way }),
  },
};

/** Prints the MCP configuration for another agent, or writes it into the agent's config file. */
export async function install(host: string, options: InstallOptions): Promise<void> {
  const known = agents.find((each) => each === host);
  if (!known) throw usage(`There is no agent ${host}. Choose one of: ${agents.join(", ")}.`);
  const {
    server,
    profile = server === undefined ? known : `${known}-${server.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
    http = false,
    move = false,
    write = false,
    cwd = process.cwd(),
    json = false,
  } = options;
  const place = places[known];
  const policy = server === undefined ? (place.follows ? "dual" : "flat") : "proxy";
  const file = place.file(cwd);
  const name = server === undefined ? "baton" : `baton-${server}`;
  const keys = [...place.keys, name];
  const isTable = known === "codex";
  const head = `[mcp_servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`;
  const look = () => (isTable ? withoutTomlTable(file, head) : textWithParents(file, keys));
  if (write) look(); // check first, because opening an endpoint voids the old token
  const wanted = { cwd, profile, policy, ...(server === undefined ? {} : { server }) } as const;
  const opened = await withConnection(async ({ api }) => {
    if (http) return api.mcp.openEndpoint.mutate({ ...wanted, move });
    await api.mcp.prepareProfile.mutate(wanted);
    return undefined;
  });
  const way: Way = opened
    ? { url: opened.url, token: opened.token }
    : { command: process.execPath, args: [program(), "mcp", "serve", "--profile", profile, "--cwd", path.resolve(cwd)], ...home() };
  const text = isTable ? toml(way, head) : undefined;
  const entry = place.entry(way);
  if (write && text !== undefined) appendTomlTable(file, head, text);
  else if (write) writeConfigEntry(file, keys, entry);
  if (json) return printJson({ host: known, profile, policy, file, entry, written: write, ...(opened ? { voided: opened.voided } : {}) });
  const nested = place.keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { [name]: entry });
  const shown = text ?? JSON.stringify(nested, undefined, 2);
  printLines([
    ...(write ? [`Added to ${file}.`] : [`Add this to ${file} (or run the command again with --write):`, "", shown, ""]),
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

function toml(way: Way, head: string): string {
  const quoted = (text: string) => JSON.stringify(text);
  const lines =
    "url" in way
      ? [`url = ${quoted(way.url)}`, `http_headers = { Authorization = ${quoted(`Bearer ${way.token}`)} }`]
      : [
          `command = ${quoted(way.command)}`,
          `args = [${way.args.map(quoted).join(", ")}]`,
          ...Object.entries(way.env ?? {}).map(([name, value]) => `env = { ${name} = ${quoted(value)} }`),
        ];
  return [head, ...lines].join("\n");
}
