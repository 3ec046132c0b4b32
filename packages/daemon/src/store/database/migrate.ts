import { createClient, type Client } from "@libsql/client/sqlite3";
import { drizzle } from "drizzle-orm/libsql/sqlite3";
import { migrate as run } from "drizzle-orm/libsql/migrator";

/** Brings the tables up to date. Loaded only when there is something to do: most starts need none of it. */
export const migrate = (client: Client, migrationsFolder: string): Promise<void> => run(drizzle(client), { migrationsFolder });

/** The same for a file, over a connection of its own. */
export async function migrateFile(file: string, migrations: string): Promise<void> {
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  try {
    await migrate(client, migrations);
  } finally {
    client.close();
  }
}

/** A store in memory, with all tables and nothing in them. */
export async function emptyStore(migrations: string): Promise<Client> {
  const client = createClient({ url: ":memory:", concurrency: 1 });
  await migrate(client, migrations);
  return client;
}
