import path from "node:path";
import type { FoundMode } from "@baton/core/mode/resolve-mode-definitions";
import type { HookFile } from "../../hook/hook-definition.ts";
import type { LibraryPlugin } from "../../instructions/open-skill-library.ts";
import type { ServerSettings } from "../../language/server/server-definition.ts";
import type { PluginServers } from "../../mcp/server-definition.ts";
import { pluginUse, type PluginUse } from "../../plugin/plugin-enablement.ts";
import { openPlugins, type Plugins } from "../../plugin/plugins.ts";
import type { PluginParts } from "../../plugin/read-plugin.ts";
import { systemClock } from "../../system/clock.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";

/**
 * The installed plugins, and the parts of those that are used in a workspace, as the loaders read them. With `modes`: only those that are used
 * in one of these modes.
 */
export type WorkspacePlugins = Plugins & {
  use: (name: string, workspace: string) => PluginUse;
  /** The names of the plugins that are used in some mode of the workspace, but not in this one. */
  unusedIn: (workspace: string, mode: string) => ReadonlySet<string>;
  modes: (workspace: string) => readonly FoundMode[];
  library: (workspace: string) => readonly LibraryPlugin[];
  hookFiles: (workspace: string, modes?: readonly string[]) => readonly HookFile[];
  servers: (workspace: string) => readonly PluginServers[];
  languageServers: (workspace: string, modes?: readonly string[]) => Readonly<Record<string, ServerSettings>>;
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
  const active = (workspace: string, modes?: readonly string[]): PluginParts[] =>
    plugins.list().flatMap(({ name, parts }) => {
      if (!parts) return [];
      const found = use(name, places.identity(workspace));
      return found.on && (!modes || modes.some((mode) => isUsedIn(mode, found, parts))) ? [parts] : [];
    });

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
    unusedIn: (workspace, mode) => {
      const inMode = active(workspace, [mode]);
      const unused = active(workspace).filter((parts) => !inMode.includes(parts));
      return unused.length === 0 ? NONE : new Set(unused.map(({ manifest }) => manifest.name));
    },
    modes,
    library: (workspace) =>
      active(workspace).map(({ manifest, folders, skills, commands }) => {
        const placed = (list: PluginParts["skills"]) => list.map(({ name, file }) => ({ name, file: path.join(folders.root, file) }));
        return { name: manifest.name, skills: placed(skills), commands: placed(commands) };
      }),
    hookFiles: (workspace, inModes) => active(workspace, inModes).flatMap(({ hookFiles }) => hookFiles),
    servers: (workspace) =>
      active(workspace).map(({ manifest: { name }, servers }) => ({ plugin: name, servers, source: `The plugin ${name}` })),
    languageServers: (workspace, inModes) =>
      Object.fromEntries(
        active(workspace, inModes).flatMap(({ languageServers }) =>
          Object.entries(languageServers).map(([name, server]) => [name, { ...server, last: true }]),
        ),
      ),
  };
}

/** A plugin is always used in the modes that it brings, because those may need its other parts. */
const isUsedIn = (mode: string, { modes }: PluginUse, parts: PluginParts): boolean =>
  modes === undefined || modes.includes(mode) || parts.modes.some((own) => own.mode.slug === mode);

const NO_MODES: readonly FoundMode[] = [];
const NONE: ReadonlySet<string> = new Set();
