import type { StoreEngine } from "@baton/core/protocol/connection/store-report";
import Driver from "libsql";

/** The version of SQLite in the driver, and a known problem of it. */
export function sqliteVersion(): StoreEngine {
  using opened = openSqlite(":memory:");
  const { sqlite } = opened.driver.prepare("SELECT sqlite_version() AS sqlite").get() as { sqlite: string };
  return { sqlite, caution: hasWalResetBug(sqlite) ? CAUTION : null };
}

const CAUTION =
  "can lose commits when two programs write to one file at the same moment. Baton uses one connection. Do not let another program write to its store.";

type Version = readonly [number, number, number];

const SINCE: Version = [3, 7, 0];
/** The fix is in the newest release line, and in older lines that are still maintained. */
const FIXED_IN: Version = [3, 51, 3];
const FIXED_LINES: readonly Version[] = [
  [3, 44, 6],
  [3, 50, 7],
];

/**
 * True if this SQLite has the WAL-reset bug (https://sqlite.org/wal.html): while one connection checkpoints, a commit of another one
 * restarts the journal, and the checkpoint treats it as done. A single connection is not affected.
 */
export function hasWalResetBug(sqlite: string): boolean {
  const [major = 0, minor = 0, patch = 0] = sqlite.split(".").map(Number);
  const version: Version = [major, minor, patch];
  if (isBefore(version, SINCE) || !isBefore(version, FIXED_IN)) return false;
  return !FIXED_LINES.some((line) => line[1] === minor && !isBefore(version, line));
}

function isBefore(a: Version, b: Version): boolean {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}

/**
 * A connection to a store from outside the daemon. It is closed at the end of its scope. Without `writes` it is read-only, because a
 * running daemon must be the only writer.
 */
export function openSqlite(file: string, { writes = false } = {}): { driver: Driver.Database } & Disposable {
  const driver = new Driver(file, { timeout: 5_000 });
  if (!writes) driver.exec("PRAGMA query_only=ON");
  return { driver, [Symbol.dispose]: () => void driver.close() };
}
