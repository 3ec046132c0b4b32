import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "./database.ts";
import type { Append, EventLog, StreamEvent } from "./event-log.ts";
import { StoreFault } from "./store-fault.ts";

/** How long a session is a daemon's without its saying so again, and how often it says so, in milliseconds. */
export const HOLDS_MS = 30_000;
export const RENEWED_MS = 10_000;

export type OwnedLog = EventLog & {
  /** To be called every `RENEWED_MS`: what this daemon writes stays its own. */
  renew(): Promise<void>;
  /** Leaves all sessions to others at once. */
  release(): Promise<void>;
};

/**
 * A log that several daemons share: a session is written by one of them at a time. The first write of a session takes it
 * over, unless it is held by a daemon that has said so of late; every write counts only while it is still held. `me` names
 * this daemon over restarts, so that after a crash it has its sessions back at once. Streams of workspaces belong to all.
 */
export function ownedLog(log: EventLog, database: Database, { me, now }: { me: string; now: () => number }): OwnedLog {
  const epochs = new Map<string, number>();

  async function claim(streamId: string): Promise<number> {
    await database.write([{ sql: CLAIM, args: [streamId, me, now() + HOLDS_MS, now()] }]);
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
      return log.append({ ...step, derived: [...held(step.streamId, me, epoch), ...(step.derived ?? [])] });
    },
    async renew() {
      if (epochs.size > 0) await database.write([{ sql: "UPDATE owner SET until = ? WHERE daemon = ?", args: [now() + HOLDS_MS, me] }]);
    },
    async release() {
      await database.write([{ sql: "UPDATE owner SET until = 0 WHERE daemon = ?", args: [me] }]);
      epochs.clear();
    },
  };
}

const CLAIM = `INSERT INTO owner (stream_id, daemon, epoch, until) VALUES (?, ?, 1, ?)
  ON CONFLICT (stream_id) DO UPDATE SET daemon = excluded.daemon, epoch = owner.epoch + 1, until = excluded.until
  WHERE owner.daemon = excluded.daemon OR owner.until < ?`;

/** Lets the batch fail that is written by somebody who does not hold the session any more. */
const held = (streamId: string, me: string, epoch: number): InStatement[] => [
  {
    sql: "INSERT INTO fence (held) SELECT count(*) FROM owner WHERE stream_id = ? AND daemon = ? AND epoch = ?",
    args: [streamId, me, epoch],
  },
  "DELETE FROM fence",
];

const isShared = (streamId: string): boolean => streamId.includes(":");
