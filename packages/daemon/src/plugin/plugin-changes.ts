import type { PluginChanges, PluginItem } from "@baton/core/protocol/config/plugin";
import { fileHashes } from "./plugin-store.ts";
import type { PluginFile } from "./list-plugin-files.ts";

type Version = { root: string; files: readonly PluginFile[]; items: readonly PluginItem[] };

/** Compares the parts and the files of two versions. */
export async function pluginChanges(before: Version, after: Version): Promise<PluginChanges> {
  const [old, now] = [await fileHashes(before.root, before.files), await fileHashes(after.root, after.files)];
  const keyOf = (item: PluginItem) => JSON.stringify(item);
  const [oldItems, nowItems] = [new Set(before.items.map(keyOf)), new Set(after.items.map(keyOf))];
  return {
    added: after.items.filter((item) => !oldItems.has(keyOf(item))),
    removed: before.items.filter((item) => !nowItems.has(keyOf(item))),
    files: {
      added: [...now.keys()].filter((name) => !old.has(name)),
      removed: [...old.keys()].filter((name) => !now.has(name)),
      changed: [...now].flatMap(([name, hash]) => (old.has(name) && old.get(name) !== hash ? [name] : [])),
    },
  };
}
