import { hash } from "node:crypto";
import { hostname } from "node:os";
import type { BatonPaths } from "../../client/paths.ts";
import type { Config } from "../../config/config-schema.ts";
import { expandKey } from "../../config/provider-settings.ts";
import { openDatabase, openRemote, type Database } from "../../store/database/database.ts";
import { openEventLog, type EventLog } from "../../store/event-log.ts";
import type { Machine } from "../../store/machine-id.ts";
import { leasedLog, LEASE_RENEWAL_MS } from "../../store/leased-log.ts";
import { indexedLog } from "../../store/search/indexed-log.ts";
import { openSearchIndex, type SearchIndex } from "../../store/search/search-index.ts";
import { openSharedStore, type SharedStore } from "../../store/database/shared-store.ts";

type OpenStoreOptions = {
  paths: BatonPaths;
  machine: Machine;
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  report: (problem: string, error?: unknown) => void;
};

export type OpenStore = {
  database: Database;
  log: EventLog;
  search: SearchIndex;
  remote: boolean;
  shared?: SharedStore;
  close: () => Promise<void>;
};

/**
 * Opens the store: the file of this home, or the server in `BATON_DATABASE_URL` or the config, which daemons of other homes may
 * share.
 */
export async function openStore({ paths, machine, config, env, report }: OpenStoreOptions): Promise<OpenStore> {
  const url = env["BATON_DATABASE_URL"] ?? config.database?.url;
  if (url === undefined || url === "") {
    const database = await openDatabase(paths.database, { backups: paths.backups });
    const search = await openSearchIndex({ database, remote: false, report });
    return {
      database,
      log: indexedLog(openEventLog(database), search),
      search,
      remote: false,
      close: async () => {
        await search.close();
        database.close();
      },
    };
  }
  if (!/^(https?|wss?|libsql):/.test(url))
    throw new Error(`${url} is not the address of a libSQL server. It must begin with http:, https:, ws:, wss: or libsql:.`);
  const authToken = env["BATON_DATABASE_TOKEN"] ?? expandKey(config.database?.authToken, env);
  const database = await openRemote({ url, authToken });
  const formerly = formerName(paths);
  const search = await openSearchIndex({ database, remote: true, report });
  const log = leasedLog(indexedLog(openEventLog(database), search), database, { me: machine.id, formerly });
  const timer = setInterval(
    () => void log.renew().catch((error: unknown) => report("the store's server does not answer", error)),
    LEASE_RENEWAL_MS,
  ).unref();
  return {
    database,
    log,
    search,
    remote: true,
    shared: openSharedStore(database, { machine, formerly }),
    close: async () => {
      clearInterval(timer);
      await search.close();
      await log.release().catch(() => undefined); // otherwise the sessions become free a little later
      database.close();
    },
  };
}

/** The name of a daemon before machines had ids: its place on a machine with this host name. */
const formerName = ({ state }: BatonPaths): string => hash("sha256", `${hostname()}\n${state}`).slice(0, 16);
