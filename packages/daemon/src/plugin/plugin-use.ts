/** The setting `plugins` of the layers of a workspace: whether each plugin is used. */
export type PluginLayers = Record<"managed" | "user" | "project", Readonly<Record<string, boolean>> | undefined>;

/** Whether a plugin is used in a workspace, and who says so. */
export type PluginUse = { on: boolean; by: keyof PluginLayers | "nobody" };

/**
 * Decides whether a plugin that the user approved is used. Every layer can turn it off. The user turns it on everywhere, and a trusted project
 * turns it on in its folder.
 */
export function pluginUse(name: string, layers: PluginLayers): PluginUse {
  const valueIn = (layer: keyof PluginLayers) => (Object.hasOwn(layers[layer] ?? {}, name) ? layers[layer]?.[name] : undefined);
  const order = ["managed", "user", "project"] as const;
  const off = order.find((layer) => valueIn(layer) === false);
  if (off) return { on: false, by: off };
  const on = (["user", "project"] as const).find((layer) => valueIn(layer) === true);
  return on ? { on: true, by: on } : { on: false, by: "nobody" };
}
