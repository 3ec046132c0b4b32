import type { StoreEngine } from "@baton/core/protocol/connection/store-report";
import type { SocketUsage, DaemonStatus } from "../../api/api-context.ts";
import type { Discovery } from "../../client/discovery.ts";
import type { BatonPaths } from "../../client/paths.ts";
import type { LoadedConfig, ConfigDiagnostic } from "../../config/load-config.ts";
import type { Database } from "../../store/database/database.ts";
import { sqliteVersion } from "../../store/database/sqlite-version.ts";
import type { SandboxState } from "../../system/sandbox/probe-sandbox.ts";
import type { Sessions } from "../../session/sessions.ts";

type StatusOptions = {
  /** Facts that every client may know. */
  life: Omit<Discovery, "token">;
  paths: BatonPaths;
  database: Database;
  isRemote: boolean;
  sessions: Sessions;
  connections: () => SocketUsage;
  defaultMode: () => string;
  sandbox: () => SandboxState | undefined;
  /** Why commands cannot have a terminal. */
  terminalProblem: () => string | undefined;
  /** The problems of the user's settings, and those of one project, or of all known projects. */
  diagnostics: (workspace?: string) => LoadedConfig["diagnostics"];
};

/** The status of the daemon, whenever it is requested. */
export function daemonStatus({
  life,
  paths,
  database,
  isRemote,
  sessions,
  connections,
  defaultMode,
  sandbox,
  terminalProblem,
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
    noSandbox: reasonOf(sandbox()),
    noTerminals: terminalProblem(),
    diagnostics: [...diagnostics(workspace), ...storeDiagnostics(database, paths)],
  });
}

const reasonOf = (sandbox: SandboxState | undefined): string | undefined => (sandbox && !sandbox.works ? sandbox.why : undefined);

/** The problems of the store, as diagnostics of its file. */
function storeDiagnostics(database: Database, paths: BatonPaths): ConfigDiagnostic[] {
  const message = database.problem() ?? database.stalled();
  return message === undefined ? [] : [{ file: paths.database, line: 1, column: 1, severity: "error", message }];
}
