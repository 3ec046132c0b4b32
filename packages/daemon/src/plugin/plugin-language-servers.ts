import path from "node:path";
import { parseLanguageServers } from "../config/parse-language-servers.ts";
import { createFolderExpander, folderVariables, type PluginFolders } from "./plugin-servers.ts";
import { isWithinPlugin } from "./list-plugin-files.ts";

/** A language server of a plugin, in the form of the setting `lsp`. */
export type PluginLanguageServer = {
  command: string[];
  extensions: string[];
  languages: Readonly<Record<string, string>>;
  env: Record<string, string>;
  initialization: Readonly<Record<string, unknown>>;
};

/** Reads language servers in the format of Claude Code: `.lsp.json`, or a table in the manifest. An invalid server is left out. */
export function readLanguageServers(
  value: unknown,
  file: string,
  plugin: string,
  folders: PluginFolders,
): { servers: Record<string, PluginLanguageServer>; notes: string[] } {
  const servers: Record<string, PluginLanguageServer> = {};
  const expand = createFolderExpander(folders, ["CLAUDE_"]);
  const found = parseLanguageServers(value);
  const notes = found.leftOut.map(({ name, reason }) => (name === undefined ? `${file}: ${reason}` : leftOutText(file, name, reason)));
  for (const [name, { command, args, languages, env, initialization }] of Object.entries(found.servers)) {
    const program = programOf(expand(command), folders.root);
    if (program === undefined) {
      notes.push(leftOutText(file, name, `${JSON.stringify(command)} is outside of the plugin.`));
      continue;
    }
    servers[`${plugin}:${name}`] = {
      command: [program, ...args.map(expand)],
      extensions: Object.keys(languages),
      languages,
      env: {
        ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, expand(text)])),
        ...folderVariables(folders),
        CLAUDE_PLUGIN_ROOT: folders.root,
      },
      initialization,
    };
  }
  return { servers, notes };
}

const leftOutText = (file: string, name: string, reason: string): string =>
  `${file}: the language server ${JSON.stringify(name)} is left out: ${reason}`;

/** A program by its name, or in the plugin. A path must never lead to a program of the project that is open. */
function programOf(command: string, root: string): string | undefined {
  if (!/[\\/]/.test(command)) return command;
  const relative = path.isAbsolute(command) ? path.relative(root, command) : command;
  return isWithinPlugin("", relative.replaceAll(path.sep, "/")) ? path.join(root, relative) : undefined;
}
