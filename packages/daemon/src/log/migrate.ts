import type { Client } from "@libsql/client/sqlite3";
import { drizzle } from "drizzle-orm/libsql/sqlite3";
import { migrate as run } from "drizzle-orm/libsql/migrator";

/** Brings the tables up to date. Loaded only when there is something to do: most starts need none of it. */
export const migrate = (client: Client, migrationsFolder: string): Promise<void> => run(drizzle(client), { migrationsFolder });
