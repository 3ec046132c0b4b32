import * as z from "zod";
import { ModeSlug } from "../mode.ts";

/** The name of a plugin, as Agent Plugins 1.0 defines it. */
export const PluginName = z
  .string()
  .max(64)
  .regex(
    /^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/,
    "a plugin's name has 1 to 64 lower-case letters, digits, single dashes and dots, and begins and ends with a letter or digit",
  );

/** The modes in which a plugin is used. */
export const PluginModes = z.array(ModeSlug).min(1).max(100);

/** A layer's setting for a plugin: used in all modes, in none, or only in these modes. */
export type PluginSetting = boolean | readonly string[];

/** A part of a plugin as users see it before they approve it. `detail`: its purpose, its command or its permissions. `file`: its path in the plugin. */
export type PluginItem = {
  kind: "skill" | "command" | "mode" | "hook" | "server" | "language server";
  name: string;
  detail: string;
  file: string;
};

/** The difference of two versions of a plugin: its parts, and the names of its files. A changed part is removed and added. */
export type PluginChanges = {
  added: readonly PluginItem[];
  removed: readonly PluginItem[];
  files: { added: readonly string[]; removed: readonly string[]; changed: readonly string[] };
};
