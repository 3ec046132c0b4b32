import type { Database } from "./database/database.ts";

/** The names of all profiles that have events. */
export const profileNames = (database: Database) => async (): Promise<string[]> =>
  (await database.query({ sql: NAMES, args: [] })).map((row) => String(row["name"]));

const NAMES =
  "SELECT DISTINCT substr(stream_id, 9) AS name FROM event WHERE stream_id >= 'profile:' AND stream_id < 'profile;' ORDER BY name";
