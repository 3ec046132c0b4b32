import Driver from "libsql";

/**
 * One connection to a store from outside the daemon, closed with the scope that uses it. It cannot write unless `writes`:
 * while a daemon runs, its own connection is the only one that does.
 */
export function openSqlite(file: string, { writes = false } = {}): { driver: Driver.Database } & Disposable {
  const driver = new Driver(file, { timeout: 5_000 });
  if (!writes) driver.exec("PRAGMA query_only=ON");
  return { driver, [Symbol.dispose]: () => void driver.close() };
}
