import type { BatonPaths } from "../../client/paths.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { deleteOldReceipts } from "../../store/event-log.ts";
import { damagedMessage, type Database } from "../../store/database/database.ts";
import type { StoreBlobs, StoreCheck } from "@baton/core/protocol/connection/store-report";
import type { SearchIndex } from "../../store/search/search-index.ts";
import { systemClock } from "../../system/clock.ts";
import { runInBackground } from "../../session/run-in-background.ts";
import type { Sessions } from "../../session/sessions.ts";
import { runDailyMaintenance } from "./daily-maintenance.ts";
import { saveCompileCache } from "./v8-tuning.ts";
import { runStoreCli } from "./run-store-cli.ts";

type ScheduleOptions = {
  /** The store is on a server, which maintains it. */
  remote: boolean;
  paths: BatonPaths;
  database: Database;
  sessions: Sessions;
  config: () => LoadedConfig;
  env: Readonly<Record<string, string | undefined>>;
  report: (problem: string, error?: unknown) => void;
  /** The previous daemon did not stop normally. */
  crashed: boolean;
  searchIndex: Pick<SearchIndex, "rebuild">;
  /** Removes the rest of deleted sessions: words in the search index, and blobs that no event references. */
  sweep: () => Promise<StoreBlobs>;
};

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Maintains the store while the daemon runs: checks it after a crash, and copies and cleans it once a day. Reading the whole store happens
 * in a separate process, so that no request waits for it.
 */
export function scheduleMaintenance(options: ScheduleOptions): { close: () => void } {
  const { remote, paths, database, sessions, config, env, report, crashed, searchIndex, sweep } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const unlessClosing = (problem: string) => (error: unknown) => signal.aborted || report(problem, error);

  const check = async (): Promise<void> => {
    const { ok, problems, searchIndex: index } = (await runStoreCli(["check", "--quick"], env, signal)) as StoreCheck;
    if (index === "broken") searchIndex.rebuild("the search index is broken");
    if (ok) return;
    database.refuse(damagedMessage(paths.database, problems[0] ?? "for reasons unknown"));
    report("the store is damaged", new Error(problems.join("; ")));
  };
  let sweptAt = 0;
  const care = async (): Promise<void> => {
    const cared = await runDailyMaintenance({
      backups: paths.backups,
      retention: { ...config().config.retention, ...(remote ? { backups: 0 } : {}) },
      now: systemClock.now(),
      copyTo: (file) => runStoreCli(["backup", file], env, signal),
      sessions,
      sweep,
      sweptAt,
      report: report,
    });
    sweptAt = cared.sweptAt;
    await database.write([deleteOldReceipts(systemClock.now())]);
  };
  const everyHour = async (): Promise<void> => {
    for (let wait = FIRST_MS; !signal.aborted; wait = HOUR_MS) {
      await systemClock.wait(wait, signal).catch(() => undefined); // aborted: the daemon is stopping
      if (!signal.aborted) saveCompileCache(); // the next start is as fast after a kill as after a stop
      if (!signal.aborted && database.problem() === undefined)
        await care().catch(unlessClosing("the daily maintenance of the store failed"));
    }
  };
  if (crashed && !remote && database.problem() === undefined)
    runInBackground(check().catch(unlessClosing("the store could not be checked")), report);
  runInBackground(everyHour(), report);
  return { close: () => closing.abort() };
}
