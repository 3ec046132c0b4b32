import type { Places } from "../client/places.ts";
import type { Diagnostic } from "../config/load.ts";
import type { Database } from "../log/database.ts";

/** What is wrong with the store, for the places where a person looks how the daemon stands. */
export function diagnosticsOf(database: Database, places: Places): Diagnostic[] {
  const message = database.problem() ?? database.stalled();
  return message === undefined ? [] : [{ file: places.database, line: 1, column: 1, severity: "error", message }];
}
