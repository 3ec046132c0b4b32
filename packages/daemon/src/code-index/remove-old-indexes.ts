import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { openSqlite } from "../store/database/sqlite-version.ts";
import { removeIndexFile } from "./index-database.ts";

const MAX_UNUSED_MS = 30 * 24 * 3_600_000;

/** Removes indexes that nobody has used for a month, and those of folders that no longer exist. */
export function removeOldIndexes(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (!name.endsWith(".db")) continue;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && (now - stats.mtimeMs > MAX_UNUSED_MS || !hasFolder(file))) removeIndexFile(file);
  }
}

/** A damaged index belongs to no folder. It is built again when it is needed. */
function hasFolder(file: string): boolean {
  try {
    using opened = openSqlite(file);
    const row = opened.driver.prepare("SELECT value FROM about WHERE name = 'root'").get() as { value: string } | undefined;
    return row !== undefined && existsSync(row.value);
  } catch {
    return false;
  }
}
