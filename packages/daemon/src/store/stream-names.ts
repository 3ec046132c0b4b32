import type { Database } from "./database/database.ts";

/** The names of all streams that begin with a prefix. */
export const streamNames =
  (database: Database) =>
  async (prefix: string): Promise<string[]> =>
    (await database.query({ sql: NAMES, args: [prefix, `${prefix}\uffff`] })).map((row) => String(row["name"]));

const NAMES = "SELECT DISTINCT stream_id AS name FROM event WHERE stream_id >= ? AND stream_id < ? ORDER BY name";
