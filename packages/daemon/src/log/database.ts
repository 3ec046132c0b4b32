import { fileURLToPath } from "node:url";
import { createClient, type Client, type InStatement, type Row } from "@libsql/client/sqlite3";
import { drizzle } from "drizzle-orm/libsql/sqlite3";
import { migrate } from "drizzle-orm/libsql/migrator";

/** The store. One connection, one write at a time; a write is one transaction and is on disk when its promise resolves. */
export type Database = {
  write(statements: readonly InStatement[]): Promise<void>;
  query(statement: InStatement): Promise<Row[]>;
  close(): void;
};

/** How long the driver may wait for a foreign lock. It blocks the event loop meanwhile, so retries are made outside. */
const BUSY_MS = 20;

/**
 * Opens the file (made when it is not there) and brings its tables up to date. The daemon's lock is held by then.
 * Throws when the file is no database or its folder cannot be written.
 */
export async function openDatabase(file: string, migrations = fileURLToPath(new URL("migrations", import.meta.url))): Promise<Database> {
  let client = connect(file);
  await client.execute("PRAGMA journal_mode=WAL");
  await migrate(drizzle(client), { migrationsFolder: migrations });
  await prepare(client);

  /** After one SQLITE_BUSY every later transaction of the connection fails, so it is opened anew. */
  const reopen = async () => {
    client.close();
    client = connect(file);
    await prepare(client);
  };

  return {
    async write(statements) {
      if (statements.length === 0) return;
      try {
        await client.batch([...statements], "write");
      } catch (error) {
        await reopen();
        throw new StoreFault(error);
      }
    },
    async query(statement) {
      return (await client.execute(statement)).rows;
    },
    close: () => client.close(),
  };
}

/** The store could not write: full disk, foreign lock, gone. What was to be written is not there. */
export class StoreFault extends Error {
  readonly conflict: boolean;
  constructor(cause: unknown) {
    const text = cause instanceof Error ? cause.message : String(cause);
    super(explain(text), { cause });
    this.name = "StoreFault";
    this.conflict = /UNIQUE constraint failed: event/.test(text);
  }
}

function explain(text: string): string {
  if (/SQLITE_FULL|disk is full|ENOSPC/i.test(text))
    return "The disk is full: Baton cannot write its log. Free some space; work goes on by itself.";
  if (/SQLITE_BUSY|locked/i.test(text)) return "Another process has locked Baton's store. Work goes on when it lets go.";
  if (/SQLITE_READONLY|readonly|EACCES|EROFS/i.test(text)) return "Baton's store cannot be written: check the rights of its folder.";
  return `Baton's store cannot be written: ${text}`;
}

const connect = (file: string): Client => createClient({ url: `file:${file}`, concurrency: 1, timeout: BUSY_MS });

const prepare = (client: Client) => client.execute("PRAGMA synchronous=FULL");
