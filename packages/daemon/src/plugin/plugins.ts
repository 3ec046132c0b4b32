import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { isSameSource } from "./plugin-source.ts";
import { capitalized, loadInstalledPlugin, type InstalledPlugin } from "./load-installed-plugin.ts";
import type { PluginChanges } from "@baton/core/protocol/config/plugin";
import { pluginChanges } from "./plugin-changes.ts";
import { foldersOf, installedNames, installFiles, readRecord, recoverPlugins } from "./plugin-store.ts";
import { openStagedPlugins, type StagedPlugin } from "./staged-plugins.ts";
import { listPluginFiles } from "./list-plugin-files.ts";

/** A plugin to approve. `installed`: the version that it would replace, and `changes`: the difference from it. */
export type PluginOffer = { staged: StagedPlugin; installed: InstalledPlugin | undefined; changes: PluginChanges | undefined };

type Refused = { refused: Refusal };

export type Plugins = {
  /** The installed plugins as they were at the last check. A check that is older than a second is repeated in the background. */
  list: () => readonly InstalledPlugin[];
  /** Compares the files of all plugins with their approvals. `now`: checks even if the last check is recent. */
  check: (now?: boolean) => Promise<void>;
  get: (name: string) => Promise<InstalledPlugin | Refused>;
  /** Fetches a plugin and shows its contents. */
  fetch: (source: string) => Promise<PluginOffer | Refused>;
  /** Fetches an installed plugin again from its source. */
  update: (name: string) => Promise<PluginOffer | Refused>;
  /** Installs a fetched plugin, if its files have this hash. */
  approve: (hash: string) => Promise<InstalledPlugin | Refused>;
  /** Removes a plugin with all of its files and data. */
  remove: (name: string) => Promise<{ removed: string } | Refused>;
};

type PluginsOptions = {
  /** The folder of all plugins. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** A plugin was installed, removed, or became inactive. */
  changed: () => void;
  report: (problem: string, error: unknown) => void;
};

const FRESH_MS = 1_000;

/** Opens the installed plugins. A plugin is active only while its files have the hash that the user approved. */
export function openPlugins({ folder, env, now, changed, report }: PluginsOptions): Plugins {
  const staged = openStagedPlugins(path.join(folder, ".staged"), env);
  let known = new Map<string, { stamp: string; plugin: InstalledPlugin }>();
  let plugins: readonly InstalledPlugin[] = [];
  let checkedAt = -Infinity;
  let queue: Promise<unknown> = Promise.all([recoverPlugins(folder), staged.recover()]).catch((error: unknown) =>
    report("plugins could not be recovered", error),
  );
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const run = queue.then(work);
    queue = run.catch(() => undefined); // its caller reports the error
    return run;
  };

  const look = async (): Promise<void> => {
    checkedAt = now();
    const after: typeof known = new Map();
    for (const name of await installedNames(folder)) {
      const survey = await listPluginFiles(foldersOf(folder, name).root);
      const record = await readRecord(folder, name);
      const stamp = JSON.stringify([record, survey]);
      const before = known.get(name);
      after.set(name, before?.stamp === stamp ? before : { stamp, plugin: await loadInstalledPlugin(folder, name, record, survey) });
    }
    const isSame = after.size === known.size && [...after].every(([name, each]) => known.get(name) === each);
    known = after;
    if (isSame) return;
    plugins = [...after.values()].map(({ plugin }) => plugin);
    changed();
  };
  let checking: Promise<void> | undefined;
  const check = (force = false): Promise<void> => {
    if (!force && now() - checkedAt < FRESH_MS) return checking ?? Promise.resolve();
    const run = inTurn(look).finally(() => {
      if (checking === run) checking = undefined;
    });
    checking = run;
    return run;
  };

  const find = (name: string) => known.get(name)?.plugin;
  const offer = async (found: StagedPlugin, wanted: string | undefined): Promise<PluginOffer | Refused> => {
    const { name } = found.parts.manifest;
    if (wanted !== undefined && wanted !== name)
      return refuse(
        "plugin_invalid",
        `The source of ${wanted} now contains a plugin ${name}. Add it as a plugin of its own, or remove ${wanted}.`,
      );
    const installed = find(name);
    if (installed?.record && !isSameSource(installed.record.source, found.source))
      return refuse(
        "plugin_exists",
        `A plugin ${name} from ${installed.record.source} is installed already. Remove it before you add the one from ${found.source}.`,
      );
    const { root, files, parts } = found;
    const before = installed && { root: foldersOf(folder, name).root, files: installed.files, items: installed.parts?.items ?? [] };
    return { staged: found, installed, changes: before && (await pluginChanges(before, { root, files, items: parts.items })) };
  };

  /** Not in turn with other work, because the network may be slow. `name`: the plugin that it has to be. */
  const fetch = async (source: string, name?: string): Promise<PluginOffer | Refused> => {
    const found = await staged.fetch(source);
    if ("problem" in found) return refuse("plugin_invalid", capitalized(found.problem));
    return inTurn(async () => {
      await look();
      return offer(found, name);
    });
  };

  return {
    list: () => {
      if (now() - checkedAt >= FRESH_MS) check().catch((error: unknown) => report("plugins could not be checked", error));
      return plugins;
    },
    check,
    get: async (name) => {
      await check(true);
      return find(name) ?? missing(name);
    },
    fetch,
    update: async (name) => {
      await check(true);
      const installed = find(name);
      if (!installed) return missing(name);
      if (!installed.record) return refuse("plugin_invalid", installed.problem ?? "");
      return fetch(installed.record.source, name);
    },
    approve: (hash) =>
      inTurn(async () => {
        await look();
        const done = plugins.find(({ record, parts }) => parts !== undefined && record?.hash === hash);
        if (done) return done; // the answer to the first attempt was lost
        const found = await staged.get(hash);
        if (!found)
          return refuse("plugin_not_found", "No plugin with this hash waits for approval. Add it again, and look at its contents.");
        const offered = await offer(found, undefined);
        if ("refused" in offered) return offered;
        const { name } = found.parts.manifest;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await installFiles(folder, found.root, { name, source: found.source, pinned: found.pinned, hash, approvedAt: now() });
        await staged.discard(hash);
        await look();
        return find(name) ?? refuse("plugin_not_found", `The plugin ${name} was removed while it was installed.`);
      }),
    remove: (name) =>
      inTurn(async () => {
        await look();
        if (!find(name)) return missing(name);
        const { home, record } = foldersOf(folder, name);
        await rm(record, { force: true }); // first, so that a crash leaves nothing that is active
        await rm(home, { recursive: true, force: true });
        await staged.discardAll(name);
        await look();
        return { removed: name };
      }),
  };
}

const missing = (name: string): Refused => refuse("plugin_not_found", `There is no plugin ${name}. \`baton plugins\` lists them.`);
