import path from "node:path";
import type { FoundMode } from "@baton/core/mode/merge";
import type { HookFile } from "../hook/hook-definition.ts";
import type { LibraryPlugin } from "../instructions/library.ts";
import type { ServerSettings } from "../language/server-definition.ts";
import type { PluginServers } from "../mcp/server-definition.ts";
import { pluginUse, type PluginUse } from "../plugin/plugin-use.ts";
import { openPlugins, type Plugins } from "../plugin/plugins.ts";
import type { PluginParts } from "../plugin/read-plugin.ts";
import { systemClock } from "../system/clock.ts";
import { isTrusted, type Foundation } from "./foundation.ts";

/** The installed plugins, and the parts of those that are used in a workspace, as the loaders read them. */
export type WorkspacePlugins = Plugins & {
  use: (name: string, workspace: string) => PluginUse;
  modes: (workspace: string) => readonly FoundMode[];
  library: (workspace: string) => readonly LibraryPlugin[];
  hookFiles: (workspace: string) => readonly HookFile[];
  servers: (workspace: string) => readonly PluginServers[];
  languageServers: (workspace: string) => Readonly<Record<string, ServerSettings>>;
};

/** Opens the plugins. A plugin that is only in use where a project asks for it needs the trust of that folder. */
export function openPluginsOf(foundation: Foundation, changed: () => void): WorkspacePlugins {
  const { paths, env, config, managed, projects, places, report } = foundation;
  const plugins = openPlugins({ folder: path.join(paths.state, "plugins"), env, now: () => systemClock.now(), changed, report });
  const use = (name: string, workspace: string): PluginUse =>
    pluginUse(name, {
      managed: managed.now().config.plugins,
      user: config.now().config.plugins,
      project: workspace !== "" && isTrusted(foundation, workspace) ? projects.of(workspace).config.plugins : undefined,
    });
  const active = (workspace: string): PluginParts[] =>
    plugins.list().flatMap(({ name, parts }) => (parts && use(name, places.identity(workspace)).on ? [parts] : []));

  /** One list for each set of plugins, because the modes are computed again when the list is another one. */
  const lists = new WeakMap<PluginParts, Map<string, readonly FoundMode[]>>();
  const modes = (workspace: string): readonly FoundMode[] => {
    const parts = active(workspace).filter((each) => each.modes.length > 0);
    const [first] = parts;
    if (!first) return NO_MODES;
    const known = lists.get(first) ?? new Map<string, readonly FoundMode[]>();
    lists.set(first, known);
    const key = parts.map(({ manifest, folders }) => `${manifest.name} ${folders.hash}`).join("\n");
    const list = known.get(key) ?? parts.flatMap((each) => each.modes);
    known.set(key, list);
    return list;
  };

  return {
    ...plugins,
    use,
    modes,
    library: (workspace) =>
      active(workspace).map(({ manifest, folders, skills, commands }) => {
        const placed = (list: PluginParts["skills"]) => list.map(({ name, file }) => ({ name, file: path.join(folders.root, file) }));
        return { name: manifest.name, skills: placed(skills), commands: placed(commands) };
      }),
    hookFiles: (workspace) => active(workspace).flatMap(({ hookFiles }) => hookFiles),
    servers: (workspace) => active(workspace).map(({ manifest, servers }) => ({ servers, source: `The plugin ${manifest.name}` })),
    languageServers: (workspace) =>
      Object.fromEntries(
        active(workspace).flatMap(({ languageServers }) =>
          Object.entries(languageServers).map(([name, server]) => [name, { ...server, last: true }]),
        ),
      ),
  };
}

const NO_MODES: readonly FoundMode[] = [];
