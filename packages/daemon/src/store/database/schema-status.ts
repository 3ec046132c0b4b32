import { readFileSync } from "node:fs";
import path from "node:path";
import type { Connection } from "./local-connection.ts";

/** How a store stands to the tables that this version knows. */
export type SchemaStatus = "fresh" | "older" | "current" | "newer";

type Journal = { entries: { when: number; tag: string }[] };

/** Looks at which migrations were made, and at those that there are in `migrations`. Throws when the file is no database. */
export async function readSchemaStatus(client: Connection, migrations: string): Promise<{ standing: SchemaStatus; newest: string }> {
  const { entries } = JSON.parse(readFileSync(path.join(migrations, "meta", "_journal.json"), "utf8")) as Journal; // written by drizzle-kit
  const { when, tag } = entries.at(-1) ?? { when: 0, tag: "none" };
  const made = await newestMade(client);
  return { standing: made === undefined ? "fresh" : made < when ? "older" : made > when ? "newer" : "current", newest: tag };
}

async function newestMade(client: Connection): Promise<number | undefined> {
  const [table] = (await client.execute("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'")).rows;
  if (!table) return undefined;
  const [row] = (await client.execute("SELECT max(created_at) AS newest FROM __drizzle_migrations")).rows;
  return row?.["newest"] === null ? undefined : Number(row?.["newest"]);
}
