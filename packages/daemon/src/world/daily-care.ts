import { rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/schema.ts";
import { backupName, backupsIn, isDaily } from "../log/keep.ts";
import type { Sessions } from "../session/sessions.ts";

export type CareOptions = {
  /** The folder of the copies. */
  backups: string;
  retention: Config["retention"];
  /** Epoch milliseconds. */
  now: number;
  copyTo: (file: string) => Promise<unknown>;
  sessions: { lists: Pick<Sessions["lists"], "sessions">; delete: Sessions["delete"] };
  /** Nothing is removed silently. */
  told: (what: string) => void;
};

const DAY_MS = 24 * 3_600_000;
const KEPT = 7;
/** More than that are for the next day. */
const MOST_AT_ONCE = 10_000;

/** Copies the store unless that was done within a day, and removes what the settings say: old daily copies, old archived sessions. */
export async function dailyCare({ backups, retention, now, copyTo, sessions, told }: CareOptions): Promise<void> {
  const { backups: kept = KEPT, archivedDays } = retention ?? {};
  const daily = () => backupsIn(backups).filter(({ file }) => isDaily(file));
  if (kept > 0 && now - (daily()[0]?.at ?? 0) > DAY_MS) await copyTo(path.join(backups, backupName(new Date(now))));
  for (const { file } of daily().slice(Math.max(1, kept))) await rm(file);
  if (archivedDays === undefined) return;
  const old = await sessions.lists.sessions({ archived: true, before: now - archivedDays * DAY_MS, limit: MOST_AT_ONCE });
  for (const { id, title } of old.filter(({ parentId }) => parentId === null))
    if (!("refused" in (await sessions.delete(id)))) told(`removed the archived session ${id} (${title}), as retention.archivedDays says`);
}
