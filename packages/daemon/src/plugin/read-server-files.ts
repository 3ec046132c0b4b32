import type { PluginItem } from "@baton/core/protocol/config/plugin";
import { isRecord } from "@baton/core/text/json";
import { shellQuoted } from "../mcp/server-definition.ts";
import { readJsonFile } from "./read-json-file.ts";
import { CLAUDE_FILE, type PluginManifest } from "./manifest.ts";
import { readLanguageServers, type PluginLanguageServer } from "./plugin-language-servers.ts";
import type { PluginPaths } from "./plugin-paths.ts";
import { readClaudeServers, readPortableServers, type PluginFolders, type PluginServer } from "./plugin-servers.ts";

/** The MCP servers and the language servers of a plugin by name. If two files define a name, the first file wins. */
type ServerFiles = {
  servers: Record<string, PluginServer>;
  languageServers: Record<string, PluginLanguageServer>;
  items: PluginItem[];
  notes: string[];
};

/** Reads the files of a plugin that define servers, and the tables in Claude's manifest. */
export async function readServerFiles(manifest: PluginManifest, paths: PluginPaths, folders: PluginFolders): Promise<ServerFiles> {
  const { root } = folders;
  const { name: plugin, claude } = manifest;
  const items: PluginItem[] = [];
  const notes: string[] = [];
  const servers: Record<string, PluginServer> = {};
  const languageServers: Record<string, PluginLanguageServer> = {};
  const tables = [
    ...(await Promise.all(paths.servers.map(async (file) => ({ kind: "server" as const, file, read: await readJsonFile(root, file) })))),
    ...(await Promise.all(
      paths.languageServers.map(async (file) => ({ kind: "language server" as const, file, read: await readJsonFile(root, file) })),
    )),
    ...(isRecord(claude?.mcpServers) ? [{ kind: "server" as const, file: CLAUDE_FILE, read: { value: claude.mcpServers } }] : []),
    ...(isRecord(claude?.lspServers) ? [{ kind: "language server" as const, file: CLAUDE_FILE, read: { value: claude.lspServers } }] : []),
  ];
  for (const { kind, file, read } of tables) {
    if (!read || "problem" in read) {
      notes.push(`${read?.problem ?? `${file} is missing.`} It has no effect.`);
      continue;
    }
    if (kind === "language server") {
      const found = readLanguageServers(read.value, file, plugin, folders);
      notes.push(...found.notes);
      for (const [name, server] of Object.entries(found.servers)) {
        if (Object.hasOwn(languageServers, name)) continue;
        languageServers[name] = server;
        const run = shown([...server.command.map(shellQuoted), ...envAssignments(server.env)].join(" "), folders);
        items.push({ kind, name, detail: `${run} for ${server.extensions.join(" ")}`, file });
      }
      continue;
    }
    const isPortable = file === "mcp.json" && manifest.agentPlugins;
    const found = isPortable ? readPortableServers(read.value, manifest, folders) : readClaudeServers(read.value, file, plugin, folders);
    notes.push(...found.notes);
    for (const [name, each] of Object.entries(found.servers)) {
      if (Object.hasOwn(servers, name)) continue; // the first file wins
      servers[name] = each;
      const { command, args = [], url = "", env = {}, headers = {} } = each.server;
      const words =
        command === undefined ? [url, ...envAssignments(headers)] : [...[command, ...args].map(shellQuoted), ...envAssignments(env)];
      items.push({ kind, name, detail: shown(words.join(" "), folders), file });
    }
  }
  return { servers, languageServers, items, notes };
}

const FOLDER_NAMES = new Set(["PLUGIN_ROOT", "PLUGIN_DATA", "PLUGIN_HASH", "CLAUDE_PLUGIN_ROOT"]);

/** The variables that a plugin sets itself, as `NAME=value`. */
export const envAssignments = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (FOLDER_NAMES.has(name) ? [] : [`${name}=${shellQuoted(value)}`]));

/** A text with the names of the folders instead of their paths, so that it is the same before and after the installation. */
const shown = (text: string, { root, data }: PluginFolders): string =>
  text.replaceAll(root, "${PLUGIN_ROOT}").replaceAll(data, "${PLUGIN_DATA}");
