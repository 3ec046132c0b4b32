import type { StoreEngine } from "@baton/core/protocol/store-report";
import Driver from "libsql";

/** The SQLite that is built into the driver. */
export function sqliteVersion(): StoreEngine {
  using opened = openSqlite(":memory:");
  const { sqlite } = opened.driver.prepare("SELECT sqlite_version() AS sqlite").get() as { sqlite: string };
  return { sqlite, caution: hasWalResetBug(sqlite) ? CAUTION : null };
}

const CAUTION =
  "can lose commits when two programs write to one file at the same moment. Baton writes through one connection; let no other program write to its store.";

type Version = readonly [number, number, number];

const SINCE: Version = [3, 7, 0];
/** Where it was mended: in the newest line, and in older ones that are still kept. */
const FIXED_IN: Version = [3, 51, 3];
const MENDED_LINES: readonly Version[] = [
  [3, 44, 6],
  [3, 50, 7],
];

/**
 * Whether this SQLite has the fault that its authors call WAL reset: while one connection checkpoints, another one's
 * commit begins the journal anew, and the checkpoint takes what it finds there for done. One connection alone cannot.
 */
export function hasWalResetBug(sqlite: string): boolean {
  const [major = 0, minor = 0, patch = 0] = sqlite.split(".").map(Number);
  const version: Version = [major, minor, patch];
  if (isBefore(version, SINCE) || !isBefore(version, FIXED_IN)) return false;
  return !MENDED_LINES.some((line) => line[1] === minor && !isBefore(version, line));
}

function isBefore(a: Version, b: Version): boolean {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}

/**
 * One connection to a store from outside the daemon, closed with the scope that uses it. It cannot write unless `writes`:
 * while a daemon runs, its own connection is the only one that does.
 */
export function openSqlite(file: string, { writes = false } = {}): { driver: Driver.Database } & Disposable {
  const driver = new Driver(file, { timeout: 5_000 });
  if (!writes) driver.exec("PRAGMA query_only=ON");
  return { driver, [Symbol.dispose]: () => void driver.close() };
}
