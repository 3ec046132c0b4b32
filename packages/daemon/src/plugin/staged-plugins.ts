import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { fetchPlugin } from "./fetch/fetch-plugin.ts";
import { parsePluginSource, sourceText } from "./plugin-source.ts";
import { readPlugin, type PluginParts } from "./read-plugin.ts";
import { hashFiles, listPluginFiles, type PluginFile } from "./list-plugin-files.ts";

/** A fetched plugin that waits for the user's approval. Nothing of it is active. */
export type StagedPlugin = { root: string; source: string; pinned: string; hash: string; files: readonly PluginFile[]; parts: PluginParts };

type Env = Readonly<Record<string, string | undefined>>;

const Origin = z.object({ source: z.string(), pinned: z.string() });
const HASH = /^[0-9a-f]{64}$/;
const MAX_STAGED = 10;

/** Fetches plugins to a folder, where each waits under its hash. The oldest ones make room for new ones. */
export function openStagedPlugins(folder: string, env: Env) {
  const placeOf = (hash: string) => path.join(folder, hash);
  const read = async (home: string): Promise<Omit<StagedPlugin, "source" | "pinned"> | { problem: string }> => {
    const root = path.join(home, "files");
    const survey = await listPluginFiles(root);
    if ("problem" in survey) return survey;
    const hash = await hashFiles(root, survey.files);
    const parts = await readPlugin({ root, data: path.join(home, "data"), hash }, survey.files);
    return "problem" in parts ? parts : { root, files: survey.files, parts, hash };
  };

  return {
    /** Fetches a source. Undefined problems mean that the plugin waits. */
    async fetch(text: string): Promise<StagedPlugin | { problem: string }> {
      const source = parsePluginSource(text);
      if ("problem" in source) return source;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const home = await mkdtemp(path.join(folder, "new-"));
      try {
        const files = path.join(home, "files");
        await mkdir(files);
        const fetched = await fetchPlugin(source, files, env);
        if ("problem" in fetched) return fetched;
        const found = await read(home);
        if ("problem" in found) return { problem: `${sourceText(source)} is no plugin: ${found.problem}` };
        const origin = { source: sourceText(source), pinned: fetched.pinned };
        await writeFile(path.join(home, "origin.json"), JSON.stringify(origin));
        await rm(placeOf(found.hash), { recursive: true, force: true });
        await rename(home, placeOf(found.hash));
        await removeOldest(folder);
        return (await this.get(found.hash)) ?? { problem: `${sourceText(source)} was removed before it could be read.` };
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },

    /** A plugin that waits, if its files still have this hash. */
    async get(hash: string): Promise<StagedPlugin | undefined> {
      if (!HASH.test(hash)) return undefined;
      try {
        const origin = Origin.parse(JSON.parse(await readFile(path.join(placeOf(hash), "origin.json"), "utf8")));
        const found = await read(placeOf(hash));
        return "problem" in found || found.hash !== hash ? undefined : { ...origin, ...found };
      } catch {
        return undefined; // it was never fetched, or it has made room for others
      }
    },

    /** Removes a plugin that waits. */
    discard: (hash: string): Promise<void> => (HASH.test(hash) ? rm(placeOf(hash), { recursive: true, force: true }) : Promise.resolve()),

    /** Removes all versions of a plugin that wait. */
    async discardAll(name: string): Promise<void> {
      for (const hash of await readdir(folder).catch(() => []))
        if ((await this.get(hash))?.parts.manifest.name === name) await this.discard(hash);
    },

    /** Removes what an interrupted fetch left. */
    async recover(): Promise<void> {
      for (const name of await readdir(folder).catch(() => []))
        if (!HASH.test(name)) await rm(path.join(folder, name), { recursive: true, force: true });
    },
  };
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => HASH.test(name));
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(path.join(folder, name))).mtimeMs })));
  for (const { name } of aged.toSorted((a, b) => b.at - a.at).slice(MAX_STAGED))
    await rm(path.join(folder, name), { recursive: true, force: true });
}
