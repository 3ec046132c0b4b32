import { SESSIONLESS_STREAM } from "@baton/core/protocol/ids";
import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "./database/database.ts";
import type { EventAppend, EventLog, StreamEvent } from "./event-log.ts";
import { StoreFault } from "./database/store-error.ts";

/** How long a lease lasts without renewal, and how often the daemon renews it, in milliseconds. */
const LEASE_MS = 30_000;
export const LEASE_RENEWAL_MS = 10_000;

type LeasedLog = EventLog & {
  /** Renews the leases of this daemon. Call it every `LEASE_RENEWAL_MS`. */
  renew(): Promise<void>;
  /** Ends all leases of this daemon at once. */
  release(): Promise<void>;
};

/** `formerly`: another name under which this daemon may have written before. */
type LeasedLogOptions = { me: string; formerly: string };

/**
 * A log that several daemons share. Each session is written by one of them at a time. The first write takes a lease unless another daemon
 * holds one, and every write fails unless the lease is still held. `me` is the daemon's name; it survives restarts, so that a daemon gets
 * its sessions back at once after a crash. Streams of workspaces and of places have no lease. The server's clock decides when a lease
 * ends, because the clocks of daemons may differ.
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
    async append<E extends StreamEvent>(step: EventAppend<E>) {
      if (isShared(step.streamId)) return log.append(step);
      const epoch = epochs.get(step.streamId) ?? (await claim(step.streamId));
      try {
        return await log.append({ ...step, derived: [...held(step.streamId, me, epoch), ...(step.derived ?? [])] });
      } catch (error) {
        if (error instanceof StoreFault && error.conflict) epochs.delete(step.streamId); // the lease may be free by the next write
        throw error;
      }
    },
    async drop(streamIds, step) {
      await database.write([{ sql: NOT_HELD, args: [me, formerly, JSON.stringify(streamIds)] }, "DELETE FROM fence"]);
      await log.drop(streamIds, step);
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

/** Makes the batch fail if this daemon no longer holds the lease. */
const held = (streamId: string, me: string, epoch: number): InStatement[] => [
  {
    sql: "INSERT INTO fence (held) SELECT count(*) FROM owner WHERE stream_id = ? AND daemon = ? AND epoch = ?",
    args: [streamId, me, epoch],
  },
  "DELETE FROM fence",
];

/** The receipts of commands without a session have no owner. */
const isShared = (streamId: string): boolean => streamId.includes(":") || streamId === SESSIONLESS_STREAM;
