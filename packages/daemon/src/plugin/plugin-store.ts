import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { PluginName } from "@baton/core/protocol/config/plugin";
import * as z from "zod";
import writeFileAtomic from "write-file-atomic";
import type { PluginFolders } from "./plugin-servers.ts";
import { hashFiles, listPluginFiles, type PluginFile } from "./list-plugin-files.ts";

/** An approval of the user: the plugin, its source, and the hash of its files. `files`: the hash of each file. `approvedAt`: epoch ms. */
export const PluginRecord = z.object({
  name: PluginName,
  source: z.string(),
  pinned: z.string(),
  hash: z.string(),
  approvedAt: z.number(),
});
export type PluginRecord = z.infer<typeof PluginRecord>;

/** The folders of a plugin below the folder of all plugins. `before`: its files during an update. */
export const foldersOf = (all: string, name: string): Omit<PluginFolders, "hash"> & { home: string; before: string; record: string } => {
  const home = path.join(all, name);
  return {
    home,
    root: path.join(home, "files"),
    before: path.join(home, "before"),
    data: path.join(home, "data"),
    record: path.join(home, "record.json"),
  };
};

/** The names of the installed plugins, in order. */
export async function installedNames(all: string): Promise<string[]> {
  const names = await readdir(all).catch(() => []); // no plugin was ever added
  return names.filter((name) => PluginName.safeParse(name).success && existsSync(foldersOf(all, name).record)).toSorted();
}

/** The record of a plugin. Undefined if it is broken, so that nothing of the plugin is active. */
export async function readRecord(all: string, name: string): Promise<PluginRecord | undefined> {
  try {
    const record = PluginRecord.safeParse(JSON.parse(await readFile(foldersOf(all, name).record, "utf8")));
    return record.success && record.data.name === name ? record.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Puts approved files in the place of the plugin's earlier ones. The record is written last: after a crash before it, `recoverPlugins`
 * brings the earlier files back, because nobody has the answer that the new ones are approved.
 */
export async function installFiles(all: string, staged: string, record: PluginRecord): Promise<void> {
  const { root, before, data, record: file } = foldersOf(all, record.name);
  await mkdir(data, { recursive: true, mode: 0o700 });
  await rm(before, { recursive: true, force: true });
  if (existsSync(root)) await rename(root, before);
  await rename(staged, root);
  await writeFileAtomic(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rm(before, { recursive: true, force: true });
}

/** Ends what a crash interrupted: an update whose record was not written is undone, and a plugin without a record is removed. */
export async function recoverPlugins(all: string): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) {
    if (!PluginName.safeParse(name).success) continue;
    const { home, root, before, record: file } = foldersOf(all, name);
    if (!existsSync(file)) {
      await rm(home, { recursive: true, force: true });
      continue;
    }
    if (!existsSync(before)) continue;
    const record = await readRecord(all, name);
    const isNew = existsSync(root) && (await hashFolder(root)) === record?.hash;
    if (!isNew) {
      await rm(root, { recursive: true, force: true });
      await rename(before, root);
    }
    await rm(before, { recursive: true, force: true });
  }
}

/** The files of a folder and their hash. Undefined if it cannot be a plugin. */
async function hashFolder(root: string): Promise<string | undefined> {
  const survey = await listPluginFiles(root);
  return "problem" in survey ? undefined : hashFiles(root, survey.files);
}

/** Each file by its name, to compare two versions. */
export async function fileHashes(root: string, files: readonly PluginFile[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const file of files) hashes.set(file.name, await hashFiles(root, [file]));
  return hashes;
}
