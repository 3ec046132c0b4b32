import Driver from "libsql";

/** A lock that is held until `release` or until the process ends in any way. */
type Lock = { release(): void };

/**
 * Takes the lock of a Baton home. Undefined if another living process holds it. It is a lock of the operating system on `file`, through
 * SQLite, because Node has none. A killed daemon therefore leaves nothing behind.
 */
export function takeLock(file: string): Lock | undefined {
  const driver = new Driver(file, { timeout: 0 });
  try {
    driver.exec("PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE");
    return { release: () => driver.close() };
  } catch (error) {
    driver.close();
    if (error instanceof Error && /SQLITE_BUSY|locked/i.test(`${error.message} ${"code" in error ? String(error.code) : ""}`))
      return undefined;
    throw error;
  }
}
