import { hash } from "node:crypto";
import { hostname } from "node:os";
import type { Places } from "../client/places.ts";
import type { Config } from "../config/schema.ts";
import { expandKey } from "../config/settings.ts";
import { openDatabase, openRemote, type Database } from "../log/database.ts";
import { openEventLog, type EventLog } from "../log/event-log.ts";
import { ownedLog, RENEWED_MS } from "../log/owned-log.ts";
import { systemClock } from "../port/clock.ts";

export type OpenStoreOptions = {
  places: Places;
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  report: (problem: string, error?: unknown) => void;
};

export type OpenStore = { database: Database; log: EventLog; remote: boolean; close: () => Promise<void> };

/** The store: the file of this home, or the server that `BATON_DATABASE_URL` or the config names, which daemons of other homes may share. */
export async function openStore({ places, config, env, report }: OpenStoreOptions): Promise<OpenStore> {
  const url = env["BATON_DATABASE_URL"] ?? config.database?.url;
  if (url === undefined || url === "") {
    const database = await openDatabase(places.database, { backups: places.backups });
    return { database, log: openEventLog(database), remote: false, close: async () => database.close() };
  }
  if (!/^(https?|wss?|libsql):/.test(url))
    throw new Error(`${url} is no address of a libSQL server: it has to begin with http:, https:, ws:, wss: or libsql:`);
  const authToken = env["BATON_DATABASE_TOKEN"] ?? expandKey(config.database?.authToken, env);
  const database = await openRemote({ url, authToken });
  const log = ownedLog(openEventLog(database), database, { me: daemonOf(places), now: () => systemClock.now() });
  const timer = setInterval(
    () => void log.renew().catch((error: unknown) => report("the store's server does not answer", error)),
    RENEWED_MS,
  ).unref();
  return {
    database,
    log,
    remote: true,
    close: async () => {
      clearInterval(timer);
      await log.release().catch(() => undefined); // then the sessions are free a little later
      database.close();
    },
  };
}

/** One home has one daemon at a time, so its place on this machine names it over restarts. */
const daemonOf = ({ state }: Places): string => hash("sha256", `${hostname()}\n${state}`).slice(0, 16);
