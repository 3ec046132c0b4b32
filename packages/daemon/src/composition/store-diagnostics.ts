import type { BatonPaths } from "../client/paths.ts";
import type { ConfigDiagnostic } from "../config/load-config.ts";
import type { Database } from "../store/database/database.ts";

/** What is wrong with the store, for the places where a person looks how the daemon stands. */
export function storeDiagnostics(database: Database, places: BatonPaths): ConfigDiagnostic[] {
  const message = database.problem() ?? database.stalled();
  return message === undefined ? [] : [{ file: places.database, line: 1, column: 1, severity: "error", message }];
}
