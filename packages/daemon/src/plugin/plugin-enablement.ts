import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { PluginSetting } from "@baton/core/protocol/config/plugin";

/** The setting `plugins` of the layers of a workspace. */
type PluginLayers = Record<"managed" | "user" | "project", Readonly<Record<string, PluginSetting>> | undefined>;

/** Whether a plugin is used in a workspace, and who says so. `modes`: the only modes in which it is used. */
export type PluginUse = { on: boolean; by: keyof PluginLayers | "nobody"; modes?: readonly string[] };

/**
 * Decides whether a plugin that the user approved is used. Every layer can turn it off or limit it to modes. The user turns it on everywhere,
 * and a trusted project turns it on in its folder.
 */
export function pluginUse(name: string, layers: PluginLayers): PluginUse {
  const valueIn = (layer: keyof PluginLayers) => (Object.hasOwn(layers[layer] ?? {}, name) ? layers[layer]?.[name] : undefined);
  const order = ["managed", "user", "project"] as const;
  const off = order.find((layer) => valueIn(layer) === false);
  if (off) return { on: false, by: off };
  const on = (["user", "project"] as const).find((layer) => valueIn(layer) !== undefined);
  if (!on) return { on: false, by: "nobody" };
  let modes: readonly string[] | undefined;
  for (const layer of order) {
    const value = valueIn(layer);
    if (typeof value !== "object") continue;
    modes = modes?.filter((mode) => value.includes(mode)) ?? [...new Set(value)];
    if (modes.length === 0) return { on: false, by: layer };
  }
  return { on: true, by: on, ...omitUndefined({ modes }) };
}
