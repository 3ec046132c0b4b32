import Driver from "libsql";
import type { InStatement, InValue } from "@libsql/client/sqlite3";

/** A row with its values by column name. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A connection to a store in a file or on a server. */
export type DatabaseConnection = {
  execute(statement: InStatement): Promise<{ rows: readonly SqlRow[] }>;
  /** Executes all statements or none. They are on disk when the promise resolves. */
  batch(statements: InStatement[], mode: "write"): Promise<unknown>;
  /** Writes the journal into the file and empties it, unless another program reads it. Servers do so themselves. */
  emptyJournal?(): void;
  close(): void;
};

/** The number of prepared statements to keep. Statements that insert many events are too rare to keep. */
const MAX_PREPARED = 100;

/**
 * Opens a file with its driver directly. The general client prepares each statement every time and finds out by an exception whether it
 * returns rows. `busyMs`: how long another program's lock may block the process.
 */
export function connectLocal(file: string, busyMs: number): DatabaseConnection {
  const driver = new Driver(file, { timeout: busyMs });
  const statements = new Map<string, Driver.Statement>();

  const prepared = (sql: string): Driver.Statement => {
    const statement = statements.get(sql) ?? driver.prepare(sql);
    if (statements.size < MAX_PREPARED) statements.set(sql, statement);
    return statement;
  };
  const run = (statement: InStatement): void => {
    const { sql, values } = toDriverStatement(statement);
    prepared(sql).run(values);
  };

  return {
    async execute(statement) {
      const { sql, values } = toDriverStatement(statement);
      const compiled = prepared(sql);
      if (compiled.reader) return { rows: compiled.all(values) as SqlRow[] };
      compiled.run(values);
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
    emptyJournal: () => flushJournal(driver),
    close() {
      statements.clear();
      flushJournal(driver);
      driver.close();
    },
  };
}

/** Writes the journal into the file and empties it. SQLite does so when the last connection closes, but not with prepared statements. */
function flushJournal(driver: Driver.Database): void {
  try {
    driver.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The disk is full, or the file is not a store. The journal remains and is read at the next start.
  }
}

/** A statement in the form of the driver. */
export function toDriverStatement(statement: InStatement): { sql: string; values: unknown[] } {
  if (typeof statement === "string") return { sql: statement, values: [] };
  const { sql, args = [] } = statement;
  if (!Array.isArray(args)) throw new Error(`the values of ${sql} must be a list`);
  return { sql, values: args.map(toStoredValue) };
}

/** SQLite has no booleans. */
const toStoredValue = (value: InValue): unknown => (typeof value === "boolean" ? Number(value) : value);
