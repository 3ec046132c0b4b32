import { rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config/config-schema.ts";
import { backupName, backupsIn, isDailyBackup } from "../../store/store-maintenance.ts";
import type { StoreBlobs } from "@baton/core/protocol/connection/store-report";
import type { Sessions } from "../../session/sessions.ts";

export type MaintenanceOptions = {
  /** The folder of the copies. */
  backups: string;
  retention: Config["retention"];
  /** Epoch milliseconds. */
  now: number;
  copyTo: (file: string) => Promise<unknown>;
  /** Removes blobs that no event references. It reads the whole log, so it runs once a day or after sessions were removed. */
  sweep: () => Promise<StoreBlobs>;
  /** Epoch milliseconds. */
  sweptAt: number;
  sessions: { lists: Pick<Sessions["lists"], "sessions">; delete: Sessions["delete"] };
  /** Every removal is reported. */
  report: (what: string) => void;
};

const DAY_MS = 24 * 3_600_000;
const DAILY_BACKUPS = 7;
/** The rest is left for the next day. */
const MAX_AT_ONCE = 10_000;

/**
 * Copies the store unless that was done within a day, and removes old daily copies and old archived sessions as the settings
 * say.
 */
export async function runDailyMaintenance({
  backups,
  retention,
  now,
  copyTo,
  sessions,
  sweep,
  sweptAt,
  report,
}: MaintenanceOptions): Promise<{ sweptAt: number }> {
  const { backups: backupsToKeep = DAILY_BACKUPS, archivedDays } = retention ?? {};
  const daily = () => backupsIn(backups).filter(({ file }) => isDailyBackup(file));
  if (backupsToKeep > 0 && now - (daily()[0]?.at ?? 0) > DAY_MS) await copyTo(path.join(backups, backupName(new Date(now))));
  for (const { file } of daily().slice(Math.max(1, backupsToKeep))) await rm(file);
  const removed = archivedDays === undefined ? 0 : await removeArchived(now - archivedDays * DAY_MS, { sessions, report });
  if (removed === 0 && now - sweptAt < DAY_MS) return { sweptAt };
  const { orphans, orphanBytes } = await sweep();
  if (orphans > 0) report(`removed ${orphans} blobs (${Math.ceil(orphanBytes / 1_000_000)} MB) that no session references`);
  return { sweptAt: now };
}

async function removeArchived(before: number, { sessions, report }: Pick<MaintenanceOptions, "sessions" | "report">): Promise<number> {
  let removed = 0;
  const old = await sessions.lists.sessions({ archived: true, before, limit: MAX_AT_ONCE });
  for (const { id, title } of old.filter(({ parentId }) => parentId === null))
    if (!("refused" in (await sessions.delete(id, { sweep: false })))) {
      removed++;
      report(`removed the archived session ${id} (${title}), as retention.archivedDays says`);
    }
  return removed;
}
