import Driver from "libsql";
import type { InStatement, InValue } from "@libsql/client/sqlite3";

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** What is wanted of a connection to a store, be it a file or a server. */
export type Connection = {
  execute(statement: InStatement): Promise<{ rows: readonly Row[] }>;
  /** All of them or none, on disk when the promise resolves. */
  batch(statements: InStatement[], mode: "write"): Promise<unknown>;
  /** Brings the journal into the file and empties it, as far as nobody reads it now. A server does so by itself. */
  emptyJournal?(): void;
  close(): void;
};

/** So many different statements are kept ready; those that put many events into one are not worth it. */
const MAX_READY = 100;

/**
 * A file on this machine, by its driver itself: the general client prepares each statement anew, and finds out by an
 * exception which of them give rows. `busyMs` is how long a foreign lock may hold up the whole process.
 */
export function connectLocal(file: string, busyMs: number): Connection {
  const driver = new Driver(file, { timeout: busyMs });
  const ready = new Map<string, Driver.Statement>();

  const prepared = (sql: string): Driver.Statement => {
    const statement = ready.get(sql) ?? driver.prepare(sql);
    if (ready.size < MAX_READY) ready.set(sql, statement);
    return statement;
  };
  const run = (statement: InStatement): void => {
    const { sql, values } = plain(statement);
    prepared(sql).run(values);
  };

  return {
    async execute(statement) {
      const { sql, values } = plain(statement);
      const made = prepared(sql);
      if (made.reader) return { rows: made.all(values) as Row[] };
      made.run(values);
      return { rows: [] };
    },
    async batch(statements) {
      prepared("BEGIN IMMEDIATE").run([]);
      try {
        for (const statement of statements) run(statement);
        prepared("COMMIT").run([]);
      } finally {
        if (driver.inTransaction) driver.exec("ROLLBACK");
      }
    },
    emptyJournal: () => settle(driver),
    close() {
      ready.clear();
      settle(driver);
      driver.close();
    },
  };
}

/** Brings all of the journal into the file itself, and empties the journal. SQLite does so for the last who closes, but not as long as a statement is ready. */
function settle(driver: Driver.Database): void {
  try {
    driver.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The disk is full, or the file no store: the journal stays, and is read at the next start.
  }
}

/** A statement as the driver takes it. */
export function plain(statement: InStatement): { sql: string; values: unknown[] } {
  if (typeof statement === "string") return { sql: statement, values: [] };
  const { sql, args = [] } = statement;
  if (!Array.isArray(args)) throw new Error(`values of ${sql} are given by their places, not by names`);
  return { sql, values: args.map(asStored) };
}

/** SQLite has no truth values. */
const asStored = (value: InValue): unknown => (typeof value === "boolean" ? Number(value) : value);
