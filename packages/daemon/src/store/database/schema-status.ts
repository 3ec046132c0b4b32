import { readFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseConnection } from "./local-connection.ts";

/** The schema of a store compared with the schema of this version. */
type SchemaStatus = "fresh" | "older" | "current" | "newer";

type Journal = { entries: { when: number; tag: string }[] };

/** Compares the store's migrations with those in `migrations`. Throws if the file is not a database. */
export async function readSchemaStatus(client: DatabaseConnection, migrations: string): Promise<{ status: SchemaStatus; newest: string }> {
  const { entries } = JSON.parse(readFileSync(path.join(migrations, "meta", "_journal.json"), "utf8")) as Journal; // written by drizzle-kit
  const { when, tag } = entries.at(-1) ?? { when: 0, tag: "none" };
  const applied = await newestApplied(client);
  return { status: compareMigrations(applied, when), newest: tag };
}

function compareMigrations(applied: number | undefined, newest: number): SchemaStatus {
  if (applied === undefined) return "fresh";
  if (applied === newest) return "current";
  return applied < newest ? "older" : "newer";
}

async function newestApplied(client: DatabaseConnection): Promise<number | undefined> {
  const [table] = (await client.execute("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'")).rows;
  if (!table) return undefined;
  const [row] = (await client.execute("SELECT max(created_at) AS newest FROM __drizzle_migrations")).rows;
  return row?.["newest"] === null ? undefined : Number(row?.["newest"]);
}
