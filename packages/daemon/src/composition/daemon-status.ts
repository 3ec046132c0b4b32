import type { StoreEngine } from "@baton/core/protocol/store-report";
import type { Connections, Status } from "../api/api-context.ts";
import type { Discovery } from "../client/discovery.ts";
import type { Places } from "../client/paths.ts";
import type { Loaded } from "../config/load-config.ts";
import type { Database } from "../store/database/database.ts";
import { engineOf } from "../store/database/sqlite-version.ts";
import type { Sessions } from "../session/sessions.ts";
import { diagnosticsOf } from "./store-diagnostics.ts";

export type StatusOptions = {
  /** What everybody may know of it. */
  life: Omit<Discovery, "token">;
  places: Places;
  database: Database;
  isRemote: boolean;
  sessions: Sessions;
  connections: () => Connections;
  defaultMode: () => string;
  /** What is wrong with the person's settings, and with those of one project, or of all that are known. */
  diagnostics: (workspace?: string) => Loaded["diagnostics"];
};

/** How the daemon stands, each time that somebody looks. */
export function statusOf({
  life,
  places,
  database,
  isRemote,
  sessions,
  connections,
  defaultMode,
  diagnostics,
}: StatusOptions): (workspace?: string) => Status {
  let engine: StoreEngine | null | undefined;
  return (workspace) => ({
    ...life,
    home: places.state,
    config: places.config,
    openSessions: sessions.open,
    connections: connections(),
    engine: (engine ??= isRemote ? null : engineOf()),
    memory: process.memoryUsage.rss(),
    defaultMode: defaultMode(),
    diagnostics: [...diagnostics(workspace), ...diagnosticsOf(database, places)],
  });
}
