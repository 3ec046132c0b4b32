import type { StoreEngine } from "@baton/core/protocol/store-report";
import type { SocketUsage, DaemonStatus } from "../api/api-context.ts";
import type { Discovery } from "../client/discovery.ts";
import type { BatonPaths } from "../client/paths.ts";
import type { LoadedConfig, ConfigDiagnostic } from "../config/load-config.ts";
import type { Database } from "../store/database/database.ts";
import { sqliteVersion } from "../store/database/sqlite-version.ts";
import type { Sessions } from "../session/sessions.ts";

export type StatusOptions = {
  /** What everybody may know of it. */
  life: Omit<Discovery, "token">;
  paths: BatonPaths;
  database: Database;
  isRemote: boolean;
  sessions: Sessions;
  connections: () => SocketUsage;
  defaultMode: () => string;
  /** What is wrong with the person's settings, and with those of one project, or of all that are known. */
  diagnostics: (workspace?: string) => LoadedConfig["diagnostics"];
};

/** How the daemon stands, each time that somebody looks. */
export function daemonStatus({
  life,
  paths,
  database,
  isRemote,
  sessions,
  connections,
  defaultMode,
  diagnostics,
}: StatusOptions): (workspace?: string) => DaemonStatus {
  let engine: StoreEngine | null | undefined;
  return (workspace) => ({
    ...life,
    home: paths.state,
    config: paths.config,
    openSessions: sessions.open,
    connections: connections(),
    engine: (engine ??= isRemote ? null : sqliteVersion()),
    memory: process.memoryUsage.rss(),
    defaultMode: defaultMode(),
    diagnostics: [...diagnostics(workspace), ...storeDiagnostics(database, paths)],
  });
}

/** What is wrong with the store, for the paths where a person looks how the daemon stands. */
function storeDiagnostics(database: Database, paths: BatonPaths): ConfigDiagnostic[] {
  const message = database.problem() ?? database.stalled();
  return message === undefined ? [] : [{ file: paths.database, line: 1, column: 1, severity: "error", message }];
}
