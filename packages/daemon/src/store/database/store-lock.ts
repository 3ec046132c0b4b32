import Driver from "libsql";

/** Held until `release`, or until the process ends in whatever way: the operating system lets go. */
export type Lock = { release(): void };

/**
 * Takes the one lock of a home, or gives undefined when a living process has it. It is the operating system's lock on
 * `file` (through SQLite, as Node has none of its own), so a killed daemon leaves nothing behind that has to be cleared.
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
