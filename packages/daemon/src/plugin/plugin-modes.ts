import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { FoundMode } from "@baton/core/mode/resolve-mode-definitions";
import { builtinModes } from "@baton/core/mode/builtin-modes";
import { Mode } from "@baton/core/protocol/mode";
import { formatReaders } from "../mode/format/format-readers.ts";

/** A mode of a plugin: its name begins with that of the plugin. */
export type PluginMode = FoundMode;

/**
 * Reads an agent of a plugin as a mode. It is read like a file of a project: it can allow nothing and sets no address of a model.
 * `siblings`: the slugs of all agents of the plugin. `notes`: the problems of the file.
 */
export async function readPluginMode(
  { file, name, text, plugin }: { file: string; name: string; text: string; plugin: string },
  siblings: ReadonlySet<string>,
): Promise<{ modes: PluginMode[]; notes: string[] }> {
  const read = await formatReaders["claude-page"](file, text, "project", name);
  const notes = read.diagnostics.filter(({ severity }) => severity !== "info").map(({ line, message }) => `${name}:${line}: ${message}`);
  const modes = read.modes.flatMap(({ mode, line }): PluginMode[] => {
    const slug = pluginSlug(plugin, mode.slug);
    const subagents = mode.subagents?.map((each) => (siblings.has(each) ? pluginSlug(plugin, each) : each));
    const parsed = Mode.safeParse({ ...mode, slug, ...omitUndefined({ subagents }) });
    const isBuiltin = builtinModes.some((builtin) => builtin.slug === slug);
    if (!parsed.success || isBuiltin) {
      notes.push(
        `${name}: the mode is left out, because ${slug} is ${isBuiltin ? "the name of a built-in mode" : "not a name for a mode"}.`,
      );
      return [];
    }
    return [{ mode: parsed.data, origin: { source: "plugin", plugin, format: "claude", filePath: file, line } }];
  });
  return { modes, notes };
}

/** `plugin-agent`, because a mode's name has no colon and no dot. */
const pluginSlug = (plugin: string, slug: string): string => `${plugin.replaceAll(".", "-")}-${slug}`;
