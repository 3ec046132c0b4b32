import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { InStatement, Client } from "@libsql/client/sqlite3";
import { connectLocal, type Connection, type Row } from "./local-connection.ts";
import { readSchemaStatus } from "./schema-status.ts";
import { isDamage, isWrongStatement, StoreFault, StoreRefused } from "./store-error.ts";

export { StoreFault };

/** The store. One connection, one write at a time; a write is one transaction and is on disk when its promise resolves. */
export type Database = {
  write(statements: readonly InStatement[]): Promise<void>;
  /** The same for deletions: what they remove cannot be read in the file any more. */
  erase(statements: readonly InStatement[]): Promise<void>;
  query(statement: InStatement): Promise<readonly Row[]>;
  /** Why nothing is written any more; undefined as long as all is well. */
  problem(): string | undefined;
  /** Why the last write did not come about, where it may the next time. */
  stalled(): string | undefined;
  /** From now on nothing is written, for this reason; reading goes on as far as it can. */
  refuse(why: string): void;
  close(): void;
};

export type DatabaseOptions = {
  /** The folder of the migrations, and the one for a copy of the store before any is made. */
  migrations?: string;
  backups?: string;
};

/** How long the driver may wait for a foreign lock. It blocks the event loop meanwhile, so retries are made outside. */
const BUSY_MS = 20;

/**
 * Opens the file (made when it is not there) and brings its tables up to date, with a copy of it before. The daemon's lock
 * is held by then. A store that is damaged, or of a later version, is not touched: it is read as far as it can be, and
 * `problem` says why nothing is written. Throws when its folder cannot be written.
 */
export async function openDatabase(file: string, options: DatabaseOptions = {}): Promise<Database> {
  const connect = () => connectLocal(file, BUSY_MS);
  const again = async () => {
    const client = connect();
    await settle(client);
    return client;
  };
  const client = connect();
  try {
    const problem = await prepare(client, file, options);
    return databaseOf(file, client, again, problem);
  } catch (error) {
    client.close();
    if (!isDamage(error)) throw error;
    return databaseOf(file, await nothing(options), again, damaged(file, error instanceof Error ? error.message : String(error)));
  }
}

/** The same on a libSQL server. Nothing above the log knows. Throws when it cannot be reached. */
export async function openRemote(remote: Remote, { migrations = migrationsFolder() }: DatabaseOptions = {}): Promise<Database> {
  const connect = await connectRemote(remote);
  const client = connect();
  const { standing } = await readSchemaStatus(client, migrations);
  if (standing === "older" || standing === "fresh") await (await import("./migrate.ts")).migrate(client, migrations);
  return databaseOf(remote.url, client, async () => connect(), standing === "newer" ? newer(remote.url) : undefined);
}

/** What is said of a damaged store, and what to do about it. */
export const damaged = (file: string, found: string): string =>
  `Baton's store ${file} is damaged (${found}), so nothing is written to it. \`baton db restore\` puts back the newest backup and keeps the damaged file beside it.`;

const newer = (file: string): string =>
  `Baton's store ${file} was written by a later version of Baton, so this one only reads it. Start that version again, or put back an earlier backup with \`baton db restore\`.`;

/** `again` opens another connection. After one SQLITE_BUSY every later transaction of a connection fails, so it is opened anew. */
function databaseOf(name: string, first: Connection, again: () => Promise<Connection>, found: string | undefined): Database {
  let client = first;
  let problem = found;
  let stalled: string | undefined;
  let reopening: Promise<void> | undefined;
  /** Not when somebody else who used the same connection has done it already. */
  const reopen = async (used: Connection): Promise<void> => {
    if (used !== client) return;
    reopening ??= again()
      .then((fresh) => {
        used.close();
        client = fresh;
      })
      .finally(() => (reopening = undefined));
    await reopening;
  };
  const write = async (statements: readonly InStatement[]): Promise<void> => {
    if (statements.length === 0) return;
    if (problem !== undefined) throw new StoreRefused(problem);
    const used = client;
    try {
      await used.batch([...statements], "write");
      stalled = undefined;
    } catch (error) {
      if (isDamage(error)) problem = damaged(name, error instanceof Error ? error.message : String(error));
      else await reopen(used);
      if (problem !== undefined) throw new StoreRefused(problem);
      const fault = new StoreFault(error);
      if (!fault.conflict) stalled = fault.message;
      throw fault;
    }
  };
  const readAgain = async (used: Connection, statement: InStatement): Promise<readonly Row[]> => {
    try {
      await reopen(used);
      return (await client.execute(statement)).rows;
    } catch (error) {
      throw new StoreFault(error, "read");
    }
  };
  return {
    write,
    async erase(statements) {
      await write(statements);
      client.emptyJournal?.();
    },
    async query(statement) {
      const used = client;
      try {
        return (await used.execute(statement)).rows;
      } catch (error) {
        if (isDamage(error) || isWrongStatement(error)) throw error;
        return await readAgain(used, statement);
      }
    },
    problem: () => problem,
    stalled: () => stalled,
    refuse: (why) => {
      problem = why;
    },
    close: () => client.close(),
  };
}

/** Makes the connection ready. Gives why nothing may be written, if so. */
async function prepare(
  client: Connection,
  file: string,
  { migrations = migrationsFolder(), backups }: DatabaseOptions,
): Promise<string | undefined> {
  const { standing, newest } = await readSchemaStatus(client, migrations);
  if (standing === "newer") return newer(file);
  if (standing === "older" && backups !== undefined) await copyBefore(newest, client, backups);
  await client.execute("PRAGMA journal_mode=WAL");
  if (standing !== "current") {
    const { migrateFile } = await import("./migrate.ts");
    await migrateFile(file, migrations);
  }
  await settle(client);
  return undefined;
}

/** A migration cannot be taken back, a copy can. */
async function copyBefore(migration: string, client: Connection, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `before-${migration}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.db`;
  await client.execute({ sql: "VACUUM INTO ?", args: [path.join(folder, name)] });
}

/** Stands in for a store that cannot be read at all. */
const nothing = async ({ migrations = migrationsFolder() }: DatabaseOptions): Promise<Connection> =>
  (await import("./migrate.ts")).emptyStore(migrations);

/** The folder of the migrations that this version knows: beside this file, or beside the bundle. */
export const migrationsFolder = (): string => fileURLToPath(new URL("migrations", import.meta.url));

/**
 * What holds for one connection only: each commit is on disk, what is deleted is overwritten, and a journal that a foreign
 * reader made grow is cut back afterwards.
 */
async function settle(client: Connection): Promise<void> {
  await client.execute("PRAGMA synchronous=FULL");
  await client.execute("PRAGMA secure_delete=ON");
  await client.execute(`PRAGMA journal_size_limit=${MAX_JOURNAL}`);
}

const MAX_JOURNAL = 64 * 1024 * 1024;

/** A store on a libSQL server: where it is, and the token that it wants, if any. */
type Remote = { url: string; authToken?: string | undefined };

/** Connects by the way that the address names: `http(s):` asks anew each time, `ws(s):` and `libsql:` keep a socket. Loaded only when there is one. */
async function connectRemote({ url, authToken }: Remote): Promise<() => Client> {
  const { createClient } = /^https?:/.test(url) ? await import("@libsql/client/http") : await import("@libsql/client/ws");
  return () => createClient({ url, concurrency: 1, ...(authToken === undefined ? {} : { authToken }) });
}
