import Driver from "libsql";

/** One connection to a store from outside the daemon, closed with the scope that uses it. */
export function openDriver(file: string, { readonly = false } = {}): { driver: Driver.Database } & Disposable {
  const driver = new Driver(file, { timeout: 5_000, readonly });
  return { driver, [Symbol.dispose]: () => void driver.close() };
}
