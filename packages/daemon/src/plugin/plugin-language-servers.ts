import path from "node:path";
import * as z from "zod";
import { issueText } from "./manifest-json.ts";
import { expander, folderVariables, type PluginFolders } from "./plugin-servers.ts";
import { isWithinPlugin } from "./survey-folder.ts";

/** A language server of a plugin, in the form of the setting `lsp`. */
export type PluginLanguageServer = {
  command: string[];
  extensions: string[];
  env: Record<string, string>;
  initialization: Record<string, unknown>;
  languages: Record<string, string>;
};

const ClaudeServer = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  extensionToLanguage: z.record(z.string().regex(/^\.[\w.+#-]+$/), z.string()),
  transport: z.literal("stdio").optional(),
  env: z.record(z.string(), z.string()).optional(),
  initializationOptions: z.record(z.string(), z.unknown()).optional(),
});

/** Reads language servers in the format of Claude Code: `.lsp.json`, or a table in the manifest. An invalid server is left out. */
export function readLanguageServers(
  value: unknown,
  file: string,
  plugin: string,
  folders: PluginFolders,
): { servers: Record<string, PluginLanguageServer>; notes: string[] } {
  const servers: Record<string, PluginLanguageServer> = {};
  const notes: string[] = [];
  const table = z.record(z.string(), z.unknown()).safeParse(value);
  if (!table.success) return { servers, notes: [`${file} is not a table of language servers.`] };
  const expand = expander(folders, ["CLAUDE_"]);
  for (const [name, entry] of Object.entries(table.data)) {
    const parsed = ClaudeServer.safeParse(entry);
    if (!/^[\w.+#-]{1,60}$/.test(name)) {
      notes.push(`${file}: the language server ${JSON.stringify(name)} is left out, because its name is not one plain word.`);
      continue;
    }
    if (!parsed.success) {
      notes.push(`${file}: the language server ${JSON.stringify(name)} is left out: ${issueText(parsed.error)}`);
      continue;
    }
    const { command, args = [], extensionToLanguage, env = {}, initializationOptions = {} } = parsed.data;
    const program = programOf(expand(command), folders.root);
    if (program === undefined) {
      notes.push(
        `${file}: the language server ${JSON.stringify(name)} is left out, because ${JSON.stringify(command)} is outside of the plugin.`,
      );
      continue;
    }
    servers[`${plugin}:${name}`] = {
      command: [program, ...args.map(expand)],
      extensions: Object.keys(extensionToLanguage).map((each) => each.toLowerCase()),
      env: {
        ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, expand(text)])),
        ...folderVariables(folders),
        CLAUDE_PLUGIN_ROOT: folders.root,
      },
      initialization: initializationOptions,
      languages: Object.fromEntries(Object.entries(extensionToLanguage).map(([key, language]) => [key.toLowerCase(), language])),
    };
  }
  return { servers, notes };
}

/** A program by its name, or in the plugin. A path must never lead to a program of the project that is open. */
function programOf(command: string, root: string): string | undefined {
  if (!/[\\/]/.test(command)) return command;
  const relative = path.isAbsolute(command) ? path.relative(root, command) : command;
  return isWithinPlugin("", relative.replaceAll(path.sep, "/")) ? path.join(root, relative) : undefined;
}
