import { omitUndefined } from "@baton/core/text/omit-undefined";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { InStatement, Client } from "@libsql/client/sqlite3";
import { connectLocal, type DatabaseConnection, type SqlRow } from "./local-connection.ts";
import { readSchemaStatus } from "./schema-status.ts";
import { isDamage, isWrongStatement, StoreFault, StoreRefused } from "./store-error.ts";

export { StoreFault };

/** The store: one connection and one write at a time. A write is a transaction and is on disk when its promise resolves. */
export type Database = {
  write(statements: readonly InStatement[]): Promise<void>;
  /** Deletes. The deleted content cannot be recovered from the file. */
  erase(statements: readonly InStatement[]): Promise<void>;
  query(statement: InStatement): Promise<readonly SqlRow[]>;
  /** The reason why the store is read-only. Undefined if it can be written. */
  problem(): string | undefined;
  /** The reason why the last write failed, if a later write may succeed. */
  stalled(): string | undefined;
  /** Makes the store read-only for this reason. */
  refuse(why: string): void;
  close(): void;
};

type DatabaseOptions = {
  /** The folder of the migrations, and the folder for a backup before a migration. */
  migrations?: string;
  backups?: string;
};

/** How long the driver waits for another program's lock. It blocks the event loop, so Baton retries outside of it. */
const BUSY_MS = 20;

/**
 * Opens the store, creates it if it is missing, and migrates its tables after a backup. The caller holds the daemon's lock. A store that
 * is damaged or of a later version is opened read-only, and `problem` gives the reason. Throws if the folder cannot be written.
 */
export async function openDatabase(file: string, options: DatabaseOptions = {}): Promise<Database> {
  const connect = () => connectLocal(file, BUSY_MS);
  const again = async () => {
    const client = connect();
    await configureConnection(client);
    return client;
  };
  const client = connect();
  try {
    const problem = await prepare(client, file, options);
    return createDatabase(file, client, again, problem);
  } catch (error) {
    client.close();
    if (!isDamage(error)) throw error;
    return createDatabase(
      file,
      await openEmptyStore(options),
      again,
      damagedMessage(file, error instanceof Error ? error.message : String(error)),
    );
  }
}

/** Opens a store on a libSQL server. Throws if the server is unreachable. */
export async function openRemote(remote: Remote, { migrations = migrationsFolder() }: DatabaseOptions = {}): Promise<Database> {
  const connect = await connectRemote(remote);
  const client = connect();
  const { status } = await readSchemaStatus(client, migrations);
  if (status === "older" || status === "fresh") await (await import("./migrate.ts")).migrate(client, migrations);
  return createDatabase(remote.url, client, async () => connect(), status === "newer" ? newerMessage(remote.url) : undefined);
}

/** The message about a damaged store. */
export const damagedMessage = (file: string, reason: string): string =>
  `Baton's store ${file} is damaged (${reason}), so Baton does not write to it. \`baton db restore\` restores the newest backup and keeps the damaged file next to it.`;

const newerMessage = (file: string): string =>
  `A later version of Baton wrote the store ${file}, so this version only reads it. Start that version again, or restore an earlier backup with \`baton db restore\`.`;

/** `again` opens another connection. After SQLITE_BUSY every later transaction of a connection fails, so it is replaced. */
function createDatabase(
  name: string,
  first: DatabaseConnection,
  again: () => Promise<DatabaseConnection>,
  reason: string | undefined,
): Database {
  let client = first;
  let problem = reason;
  let stalled: string | undefined;
  let reopening: Promise<void> | undefined;
  /** Does nothing if another user of the same connection has already replaced it. */
  const reopen = async (used: DatabaseConnection): Promise<void> => {
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
      if (isDamage(error)) problem = damagedMessage(name, error instanceof Error ? error.message : String(error));
      else await reopen(used);
      if (problem !== undefined) throw new StoreRefused(problem);
      const fault = new StoreFault(error);
      if (!fault.conflict) stalled = fault.message;
      throw fault;
    }
  };
  const readAgain = async (used: DatabaseConnection, statement: InStatement): Promise<readonly SqlRow[]> => {
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

/** Prepares the connection. Returns the reason if the store is read-only. */
async function prepare(
  client: DatabaseConnection,
  file: string,
  { migrations = migrationsFolder(), backups }: DatabaseOptions,
): Promise<string | undefined> {
  const { status, newest } = await readSchemaStatus(client, migrations);
  if (status === "newer") return newerMessage(file);
  if (status === "older" && backups !== undefined) await backUpBefore(newest, client, backups);
  await client.execute("PRAGMA journal_mode=WAL");
  if (status !== "current") {
    const { migrateFile } = await import("./migrate.ts");
    await migrateFile(file, migrations);
  }
  await configureConnection(client);
  return undefined;
}

/** Migrations cannot be reverted, so Baton makes a backup first. */
async function backUpBefore(migration: string, client: DatabaseConnection, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `before-${migration}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.db`;
  await client.execute({ sql: "VACUUM INTO ?", args: [path.join(folder, name)] });
}

/** An empty store, used if the file cannot be read at all. */
const openEmptyStore = async ({ migrations = migrationsFolder() }: DatabaseOptions): Promise<DatabaseConnection> =>
  (await import("./migrate.ts")).emptyStore(migrations);

/** The folder of this version's migrations: next to this file, or next to the bundle. */
export const migrationsFolder = (): string => fileURLToPath(new URL("migrations", import.meta.url));

/**
 * Settings of each connection: every commit is on disk, deleted content is overwritten, and a journal that grew because of another
 * program's reads is shortened afterwards.
 */
async function configureConnection(client: DatabaseConnection): Promise<void> {
  await client.execute("PRAGMA synchronous=FULL");
  await client.execute("PRAGMA secure_delete=ON");
  await client.execute(`PRAGMA journal_size_limit=${MAX_JOURNAL}`);
}

const MAX_JOURNAL = 64 * 1024 * 1024;

/** A store on a libSQL server: its address, and the token if it needs one. */
type Remote = { url: string; authToken?: string | undefined };

/** Connects by the scheme of the address: `http(s):` sends separate requests, `ws(s):` and `libsql:` keep a socket. */
async function connectRemote({ url, authToken }: Remote): Promise<() => Client> {
  const { createClient } = /^https?:/.test(url) ? await import("@libsql/client/http") : await import("@libsql/client/ws");
  return () => createClient({ url, concurrency: 1, ...omitUndefined({ authToken }) });
}
