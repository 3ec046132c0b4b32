import type { LoggedEvent } from "@baton/core/protocol/event";
import { SESSIONLESS_STREAM } from "@baton/core/protocol/ids";
import { withVersion, upcastEvent } from "@baton/core/protocol/upcast";
import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "./database/database.ts";

export type StreamEvent = { type: string };

/** One atomic step of a stream: events after the seq `after`, the receipt of the command that caused them, and derived rows. */
export type EventAppend<E extends StreamEvent> = {
  streamId: string;
  after: number;
  events: readonly E[];
  at: number;
  receipt?: CommandReceipt | undefined;
  derived?: readonly InStatement[];
};
export type CommandReceipt = { commandId: string; answer: unknown };

/** What a deletion commits with it: the receipt of its command, which belongs to no stream, and further statements. */
export type DropStep = { receipt?: (CommandReceipt & { at: number }) | undefined; derived?: readonly InStatement[] };

/** An append-only list of events per stream. Clients only see events that have been committed. */
export type EventLog = {
  /** Commits everything or nothing. Throws if `after` is not the end of the stream, or if the store cannot be written. */
  append<E extends StreamEvent>(step: EventAppend<E>): Promise<LoggedEvent<E>[]>;
  /** At most `limit` events after `after`, oldest first. */
  read<E extends StreamEvent>(streamId: string, after?: number, limit?: number): Promise<LoggedEvent<E>[]>;
  /** The seq of the newest event of `type` at or before `seq`, or 0. */
  lastOf(streamId: string, type: string, seq: number): Promise<number>;
  /** Every event of a type, oldest first. Only for rare types. */
  ofType<E extends StreamEvent>(streamId: string, type: string): Promise<LoggedEvent<E>[]>;
  /** Deletes streams permanently, with everything derived from them. */
  drop(streamIds: readonly string[], step?: DropStep): Promise<void>;
  /** The earlier answer to this command, if there is one. */
  receipt(streamId: string, commandId: string): Promise<unknown>;
};

export function openEventLog(database: Database): EventLog {
  /** The rows are what `append` wrote and `upcast` converted, so the cast is safe. */
  async function events<E extends StreamEvent>(statement: InStatement): Promise<LoggedEvent<E>[]> {
    const [row] = await database.query(statement);
    const rows = JSON.parse(String(row?.["events"] ?? "[]")) as [number, number, StreamEvent][];
    return rows.map(([seq, at, data]) => ({ ...upcastEvent(data), seq, at }) as LoggedEvent<E>);
  }

  return {
    async append({ streamId, after, events, at, receipt, derived = [] }) {
      const statements: InStatement[] = [];
      const written = events.map((event) => withVersion(event));
      for (let i = 0; i < events.length; i += ROWS_PER_STATEMENT)
        statements.push(insertEvents(streamId, after + i, written.slice(i, i + ROWS_PER_STATEMENT), at, receipt?.commandId));
      if (receipt) statements.push(insertReceipt(streamId, receipt, at));
      await database.write([...statements, ...derived]);
      return written.map((event, i) => ({ ...event, seq: after + 1 + i, at }));
    },
    read: <E extends StreamEvent>(streamId: string, after = 0, limit = Number.MAX_SAFE_INTEGER) =>
      events<E>({ sql: READ, args: [streamId, after, limit] }),
    ofType: <E extends StreamEvent>(streamId: string, type: string) => events<E>({ sql: OF_TYPE, args: [streamId, type] }),
    async drop(streamIds, { receipt, derived = [] } = {}) {
      const ids = JSON.stringify(streamIds);
      const receipts = receipt ? [insertReceipt(SESSIONLESS_STREAM, receipt, receipt.at)] : [];
      await database.erase([...DROP.map((sql) => ({ sql, args: [ids] })), ...receipts, ...derived]);
    },
    async lastOf(streamId, type, seq) {
      const [row] = await database.query({ sql: LAST_OF, args: [streamId, seq, type] });
      return Number(row?.["seq"] ?? 0);
    },
    async receipt(streamId, commandId) {
      const [row] = await database.query({
        sql: "SELECT answer FROM receipt WHERE stream_id = ? AND command_id = ?",
        args: [streamId, commandId],
      });
      return row ? (JSON.parse(String(row["answer"])) as unknown) : undefined;
    },
  };
}

/** Returns all events as one JSON array in one row, which is several times faster than one row per event. */
const READ = `SELECT json_group_array(json_array(seq, at, json(data))) AS events FROM
  (SELECT seq, at, data FROM event WHERE stream_id = ? AND seq > ? ORDER BY seq LIMIT ?)`;

const OF_TYPE = `SELECT json_group_array(json_array(seq, at, json(data))) AS events FROM
  (SELECT seq, at, data FROM event WHERE stream_id = ? AND type = ? ORDER BY seq)`;

const LAST_OF = "SELECT seq FROM event WHERE stream_id = ? AND seq <= ? AND type = ? ORDER BY seq DESC LIMIT 1";

const DROP = [
  ["event", "stream_id"],
  ["receipt", "stream_id"],
  ["snapshot", "stream_id"],
  ["session", "id"],
  ["request", "session_id"],
  ["owner", "stream_id"],
].map(([table, column]) => `DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`);

/** A statement takes at most 32,766 values. */
const ROWS_PER_STATEMENT = 5_000;

/** Inserts all events in one statement, which is three times faster than one statement each. */
function insertEvents(
  streamId: string,
  after: number,
  events: readonly StreamEvent[],
  at: number,
  commandId: string | undefined,
): InStatement {
  return {
    sql: `INSERT INTO event (stream_id, seq, at, type, command_id, data) VALUES ${events.map(() => "(?,?,?,?,?,?)").join(",")}`,
    args: events.flatMap((event, i) => [streamId, after + 1 + i, at, event.type, commandId ?? null, JSON.stringify(event)]),
  };
}

const insertReceipt = (streamId: string, { commandId, answer }: CommandReceipt, at: number): InStatement => ({
  sql: "INSERT INTO receipt (stream_id, command_id, at, answer) VALUES (?,?,?,?)",
  args: [streamId, commandId, at, JSON.stringify(answer)],
});

/** Clients do not repeat commands after a month, so older receipts are not needed. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;

export const deleteOldReceipts = (now: number) => ({ sql: "DELETE FROM receipt WHERE at < ?", args: [now - MAX_AGE_MS] });
