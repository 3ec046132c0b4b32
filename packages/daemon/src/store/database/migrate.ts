import { createClient, type Client } from "@libsql/client/sqlite3";
import { drizzle } from "drizzle-orm/libsql/sqlite3";
import { migrate as run } from "drizzle-orm/libsql/migrator";

/** Migrates the tables. This module is loaded only if a migration is needed. */
export const migrate = (client: Client, migrationsFolder: string): Promise<void> => run(drizzle(client), { migrationsFolder });

/** Migrates a file through a separate connection. */
export async function migrateFile(file: string, migrations: string): Promise<void> {
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  try {
    await migrate(client, migrations);
  } finally {
    client.close();
  }
}

/** An empty store in memory with all tables. */
export async function emptyStore(migrations: string): Promise<Client> {
  const client = createClient({ url: ":memory:", concurrency: 1 });
  await migrate(client, migrations);
  return client;
}
