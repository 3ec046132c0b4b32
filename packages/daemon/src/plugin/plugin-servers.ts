import path from "node:path";
import { hash } from "node:crypto";
import { mapValues } from "../mcp/server-definition.ts";
import { type McpServer, ServerName } from "@baton/core/protocol/config/mcp";
import * as z from "zod";
import { parseForeignServers } from "../config/parse-foreign-servers.ts";
import { issueText } from "../config/parse-language-servers.ts";
import type { PluginManifest } from "./manifest.ts";
import { isWithinPlugin } from "./list-plugin-files.ts";

/**
 * The folders of a plugin. `root`: its files. `data`: a folder for what its programs write, which stays at an update. `hash`: of its files. It
 * is a variable of its programs, so that a server of changed files is another server, with an approval of its own.
 */
export type PluginFolders = { root: string; data: string; hash: string };

/** `literal`: variables in its values stay as they are written. */
export type PluginServer = { server: McpServer; literal: boolean };

export const MCP_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

const Texts = z.record(z.string(), z.string());
const Portable = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("stdio"),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: Texts.optional(),
    cwd: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("streamable-http"), url: z.string().min(1), headers: Texts.optional() }),
  z.strictObject({ type: z.literal("sse"), url: z.string().min(1), headers: Texts.optional() }),
]);

type Read = { servers: Record<string, PluginServer>; notes: string[] };

/**
 * Reads `mcp.json` of Agent Plugins: a closed format whose values know only `${PLUGIN_ROOT}` and `${PLUGIN_DATA}`. An invalid server is left
 * out, and an invalid file has no servers.
 */
export function readPortableServers(value: unknown, { name: plugin }: Pick<PluginManifest, "name">, folders: PluginFolders): Read {
  const file = z.strictObject({ $schema: z.literal(MCP_SCHEMA), mcpServers: z.record(z.string(), z.unknown()) }).safeParse(value);
  if (file.error) return { servers: {}, notes: [`mcp.json is invalid at ${issueText(file.error)} None of its servers has an effect.`] };
  const servers: Read["servers"] = {};
  const notes: string[] = [];
  for (const [name, entry] of Object.entries(file.data.mcpServers)) {
    const parsed = Portable.safeParse(entry);
    const server = parsed.success ? toServer(parsed.data, folders) : `it is invalid at ${issueText(parsed.error)}`;
    if (typeof server === "string") notes.push(`mcp.json: the server ${JSON.stringify(name)} is left out, because ${server}`);
    else servers[pluginServerName(plugin, name)] = { server, literal: true };
  }
  return { servers, notes };
}

function toServer(entry: z.infer<typeof Portable>, folders: PluginFolders): McpServer | string {
  if (entry.type !== "stdio") {
    const url = URL.parse(entry.url);
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "")
      return "its url is not an address without a user and a fragment.";
    if (url.protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) return "its url is not encrypted.";
    return entry;
  }
  const { command, args = [], env = {}, cwd = "${PLUGIN_ROOT}" } = entry;
  if (/[\\/]/.test(command) && !(command.startsWith("./") && isWithinPlugin("", command)))
    return "its command is neither a name nor a path in the plugin that begins with ./.";
  if (Object.keys(env).some((key) => /^PLUGIN_(?:ROOT|DATA)$/i.test(key))) return "its env sets PLUGIN_ROOT or PLUGIN_DATA.";
  const placed = /^(?:\.|\$\{PLUGIN_(?:ROOT|DATA)\})(\/.*)?$/.exec(cwd);
  if (!placed || (cwd !== "${PLUGIN_ROOT}" && cwd !== "${PLUGIN_DATA}" && cwd === ".") || !isWithinPlugin("", `.${placed[1] ?? ""}`))
    return "its cwd is not a folder of the plugin.";
  const expand = createFolderExpander(folders, []);
  return {
    command: command.startsWith("./") ? path.join(folders.root, command) : command,
    args: args.map(expand),
    env: { ...mapValues(env, expand), ...folderVariables(folders) },
    cwd: path.join(cwd.startsWith("${PLUGIN_DATA}") ? folders.data : folders.root, placed[1] ?? ""),
  };
}

/** Reads servers in the format of Claude Code: `.mcp.json`, or a table in the manifest. */
export function readClaudeServers(value: unknown, file: string, plugin: string, folders: PluginFolders): Read {
  const table = typeof value === "object" && value !== null && !("mcpServers" in value) ? { mcpServers: value } : value;
  const { servers, notes } = parseForeignServers(JSON.stringify(table));
  const expand = createFolderExpander(folders, ["CLAUDE_"]);
  const read = Object.entries(servers).map(([name, { command, args, env, cwd, url, headers, ...rest }]): [string, PluginServer] => {
    const server: McpServer =
      url === undefined
        ? {
            ...rest,
            command: expand(command ?? ""),
            args: (args ?? []).map(expand),
            env: { ...mapValues(env ?? {}, expand), ...folderVariables(folders), CLAUDE_PLUGIN_ROOT: folders.root },
            ...(cwd === undefined ? {} : { cwd: path.resolve(folders.root, expand(cwd)) }),
          }
        : { ...rest, url: expand(url), headers: mapValues(headers ?? {}, expand) };
    return [pluginServerName(plugin, name), { server, literal: false }];
  });
  return { servers: Object.fromEntries(read), notes: notes.map(({ text }) => `${file}: ${text}`) };
}

/**
 * The name of a plugin's server, as Claude Code forms it. It differs from every name that a user's rules or approvals can mean, because it
 * begins with `plugin_`.
 */
function pluginServerName(plugin: string, name: string): string {
  const whole = `plugin_${plugin}_${name}`.replaceAll(/[^A-Za-z0-9_.-]+/g, "-").replaceAll(/_{2,}/g, "_");
  const fitting = ServerName.safeParse(whole);
  return fitting.success
    ? fitting.data
    : `${whole.slice(0, 31)}-${hash("sha256", `${plugin} ${name}`).slice(0, 8)}`.replaceAll(/_{2,}/g, "_");
}

/** Whether a server is or was one of a plugin. `names`: the servers that it has now. A name that was too long does not begin with the whole name of the plugin. */
export const pluginServerMatcher = (plugin: string, names: readonly string[]): ((server: string) => boolean) => {
  return (server) => names.includes(server) || server.startsWith(`plugin_${plugin}_`);
};

export const folderVariables = ({ root, data, hash: version }: PluginFolders): Record<string, string> => ({
  PLUGIN_ROOT: root,
  PLUGIN_DATA: data,
  PLUGIN_HASH: version.slice(0, 16),
});

/** Creates a function that replaces the folders of a plugin in a text, once. `prefixes`: other beginnings of the names. */
export const createFolderExpander =
  ({ root, data }: PluginFolders, prefixes: readonly string[]) =>
  (text: string): string =>
    text.replaceAll(/\$\{(CLAUDE_)?PLUGIN_(ROOT|DATA)\}/g, (whole, prefix: string | undefined, which: string) => {
      if (prefix !== undefined && !prefixes.includes(prefix)) return whole;
      return which === "ROOT" ? root : data;
    });
