import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { BatonPaths } from "@baton/daemon/client";

type Folders = Pick<BatonPaths, "state" | "config" | "log" | "backups">;

/** The names of files and folders that Baton writes directly into its folders. */
const OWN =
  /^(baton\.db(-wal|-shm|-journal|\..+)?|daemon\.(json|lock|lock-\w+)|(identity|machine|inbox-numbers|mcp-credentials|model-catalog|update|keys)\.json|history\.jsonl|config\.jsonc|blobs|code-index|compile-cache|pipes-\d+-\w+)$/;
/** Folders that Baton writes only into the folder of its state. */
const OWN_STATE = /^(sandbox|plugins|transcripts|environments|outputs)$/;
const BACKUP = /^(baton|before-update)-.+\.db(-wal|-shm)?$/;
const LOG = /^daemon\.log/;

/** The files in Baton's folders: those that Baton wrote, and all others, such as your modes. Some of the folders may be the same. */
export function filesOfBaton({ state, config, log, backups }: Folders): { own: string[]; others: string[] } {
  const patterns = new Map<string, RegExp[]>();
  const ofFolders = [
    [state, OWN],
    [state, OWN_STATE],
    [config, OWN],
    [log, LOG],
    [backups, BACKUP],
  ] as const;
  for (const [folder, name] of ofFolders) patterns.set(folder, [...(patterns.get(folder) ?? []), name]);
  const found = [...patterns].flatMap(([folder, names]) =>
    (existsSync(folder) ? readdirSync(folder) : []).map((entry) => ({
      file: path.join(folder, entry),
      isOwn: names.some((name) => name.test(entry)),
    })),
  );
  const files = (own: boolean) => found.filter(({ file, isOwn }) => isOwn === own && !patterns.has(file)).map(({ file }) => file);
  return { own: files(true), others: files(false) };
}

/** Deletes what Baton wrote, and then each of its folders that is empty. Returns the other files, which stay. */
export function removeFilesOfBaton(folders: Folders): string[] {
  const { own, others } = filesOfBaton(folders);
  for (const file of own) rmSync(file, { recursive: true, force: true });
  for (const folder of [folders.backups, folders.log, folders.state, folders.config]) removeIfEmpty(folder);
  return others;
}

export function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory() && readdirSync(folder).length === 0) rmdirSync(folder);
}
