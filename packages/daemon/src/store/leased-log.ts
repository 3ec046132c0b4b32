import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "./database/database.ts";
import type { Append, EventLog, StreamEvent } from "./event-log.ts";
import { StoreFault } from "./database/store-error.ts";

/** How long a session is a daemon's without its saying so again, and how often it says so, in milliseconds. */
export const LEASE_MS = 30_000;
export const LEASE_RENEWAL_MS = 10_000;

export type LeasedLog = EventLog & {
  /** To be called every `RENEWED_MS`: what this daemon writes stays its own. */
  renew(): Promise<void>;
  /** Leaves all sessions to others at once. */
  release(): Promise<void>;
};

/** `formerly` is another name by which this daemon may have written before. */
export type LeasedLogOptions = { me: string; formerly: string };

/**
 * A log that several daemons share: a session is written by one of them at a time. The first write of a session takes it
 * over, unless it is held by a daemon that has said so of late; every write counts only while it is still held. `me` names
 * this daemon over restarts, so that after a crash it has its sessions back at once. Streams of workspaces belong to all.
 * The server's clock says how long a session is held: those of the daemons may differ.
 */
export function leasedLog(log: EventLog, database: Database, { me, formerly }: LeasedLogOptions): LeasedLog {
  const epochs = new Map<string, number>();

  async function claim(streamId: string): Promise<number> {
    await database.write([{ sql: CLAIM, args: [streamId, me, LEASE_MS, formerly] }]);
    const [row] = await database.query({ sql: "SELECT daemon, epoch FROM owner WHERE stream_id = ?", args: [streamId] });
    if (row?.["daemon"] !== me) throw new StoreFault("CHECK constraint failed: held");
    const epoch = Number(row["epoch"]);
    epochs.set(streamId, epoch);
    return epoch;
  }

  return {
    ...log,
    async append<E extends StreamEvent>(step: Append<E>) {
      if (isShared(step.streamId)) return log.append(step);
      const epoch = epochs.get(step.streamId) ?? (await claim(step.streamId));
      try {
        return await log.append({ ...step, derived: [...held(step.streamId, me, epoch), ...(step.derived ?? [])] });
      } catch (error) {
        if (error instanceof StoreFault && error.conflict) epochs.delete(step.streamId); // it may be free again by the next time
        throw error;
      }
    },
    async drop(streamIds) {
      await database.write([{ sql: NOT_HELD, args: [me, formerly, JSON.stringify(streamIds)] }, "DELETE FROM fence"]);
      await log.drop(streamIds);
    },
    async renew() {
      if (epochs.size > 0) await database.write([{ sql: `UPDATE owner SET until = ${NOW} + ? WHERE daemon = ?`, args: [LEASE_MS, me] }]);
    },
    async release() {
      await database.write([{ sql: "UPDATE owner SET until = 0 WHERE daemon = ?", args: [me] }]);
      epochs.clear();
    },
  };
}

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const CLAIM = `INSERT INTO owner (stream_id, daemon, epoch, until) VALUES (?, ?, 1, ${NOW} + ?)
  ON CONFLICT (stream_id) DO UPDATE SET daemon = excluded.daemon, epoch = owner.epoch + 1, until = excluded.until
  WHERE owner.daemon IN (excluded.daemon, ?) OR owner.until < ${NOW}`;

const NOT_HELD = `INSERT INTO fence (held) SELECT count(*) = 0 FROM owner
  WHERE daemon NOT IN (?, ?) AND until >= ${NOW} AND stream_id IN (SELECT value FROM json_each(?))`;

/** Lets the batch fail that is written by somebody who does not hold the session any more. */
const held = (streamId: string, me: string, epoch: number): InStatement[] => [
  {
    sql: "INSERT INTO fence (held) SELECT count(*) FROM owner WHERE stream_id = ? AND daemon = ? AND epoch = ?",
    args: [streamId, me, epoch],
  },
  "DELETE FROM fence",
];

const isShared = (streamId: string): boolean => streamId.includes(":");
