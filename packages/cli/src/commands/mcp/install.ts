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

/** How the endpoint is reached: a program to start with these variables, or an address and what it has to be shown. */
type Way = { command: string; args: string[]; env?: Record<string, string> } | { url: string; token: string };

/** Where a host keeps its servers, under which key, and how it writes one. */
type Place = { file: (cwd: string) => string; keys: readonly string[]; entry: (way: Way) => unknown; follows: boolean };

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const plain = (way: Way) => ("url" in way ? { type: "http", url: way.url, headers: bearer(way.token) } : way);

/** `follows`: it hears when the list of tools changes, so that tools may come and go by turns. */
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

/** Prints what a host has to be told to use Baton's tools, or writes it where the host looks. */
export async function install(host: string, options: InstallOptions): Promise<void> {
  const known = agents.find((each) => each === host);
  if (!known) throw usage(`There is no host ${host}. The hosts are: ${agents.join(", ")}.`);
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
  if (write) look(); // before a token is void for nothing
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
  const shown =
    text ??
    JSON.stringify(
      place.keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { [name]: entry }),
      undefined,
      2,
    );
  printLines([
    ...(write ? [`Written into ${file}.`] : [`Put this into ${file} (or call again with --write):`, "", shown, ""]),
    ...(opened?.voided ? [`The token that this profile had before is void: what uses it needs this one.`] : []),
    ...(file.startsWith(path.resolve(cwd) + path.sep)
      ? [
          http
            ? `That file lies in the project and holds a token: whoever has it can call these tools on this machine. Keep it out of git.`
            : `That file lies in the project and names places of this machine: it does not work on another one.`,
        ]
      : []),
    server !== undefined
      ? `It lends the server ${server} as it is: its tools, resources and prompts, under their own names. What it calls is judged by your rules and asks in your inbox.`
      : `Its tools are those of the profile ${profile}, listed ${policy === "dual" ? "by turns with those for choosing" : "beside those for choosing"}. \`baton toolsets build NAME TOOL... --profile ${profile}\` keeps a selection of them, \`baton toolsets equip NAME --profile ${profile}\` brings it; what it calls is judged by your rules and asks in your inbox.`,
  ]);
}

/** Hosts hand few variables on, and without this one another daemon would be asked. */
function home(): { env?: Record<string, string> } {
  const { BATON_HOME } = process.env;
  return BATON_HOME === undefined ? {} : { env: { BATON_HOME } };
}

const program = (): string => fileURLToPath(new URL("main.js", import.meta.url)); // this code lies beside it

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
