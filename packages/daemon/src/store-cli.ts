import path from "node:path";
import { batonPaths } from "./client/paths.ts";
import { backUp, backupName, backupsIn, checkStore, compactStore, replaceStoreByBackup } from "./store/store-maintenance.ts";
import { takeLock } from "./store/database/store-lock.ts";
import { rebuildProjections } from "./store/rebuild-projections.ts";

/**
 * A separate program that maintains the store, because reading all of it would block the daemon. Prints one JSON object. Exits
 * with 1 when something is wrong, and `problem` says what.
 */
const [what = "", ...args] = process.argv.slice(2);
const { database, backups, lock, blobs } = batonPaths(process.env);

const doings: Record<string, () => object | Promise<object>> = {
  check: () => ({ ...checkStore(database, { quick: args.includes("--quick"), blobs }), backups: backupsIn(backups) }),
  backup: () => backUp(database, args[0] ?? path.join(backups, backupName(new Date()))),
  compact: () => alone(() => compactStore(database, blobs)),
  rebuild: () => alone(() => rebuildProjections(database)),
  restore: () => {
    const from = args[0] ?? backupsIn(backups)[0]?.file;
    if (from === undefined) throw new Error(`There is no backup in ${backups}.`);
    return alone(() => replaceStoreByBackup(database, from));
  },
};

try {
  const doing = doings[what];
  if (!doing) throw new Error(`There is no "${what}". There are: ${Object.keys(doings).join(", ")}.`);
  const done = await doing();
  process.stdout.write(`${JSON.stringify(done)}\n`);
  if ("ok" in done && !done.ok) process.exitCode = 1;
} catch (error) {
  process.stdout.write(`${JSON.stringify({ problem: error instanceof Error ? error.message : String(error) })}\n`);
  process.exitCode = 1;
}

/** While this is held, no daemon can start. */
async function alone<T>(work: () => T | Promise<T>): Promise<T> {
  const held = takeLock(lock);
  if (!held) throw new Error("The daemon has the store open. Stop it first.");
  try {
    return await work();
  } finally {
    held.release();
  }
}
