import type { SessionId } from "@baton/core/protocol/ids";
import type { Database } from "./database.ts";
import type { Machine } from "../machine-id.ts";

/** Queries that only a store needs that several machines share. */
export type SharedStore = {
  /** The machine of a session if it is another one. Undefined also for a session without events. */
  elsewhere: (id: SessionId) => Promise<Pick<Machine, "name"> | undefined>;
  /** Sessions of this machine whose loop has work to do. */
  due: () => Promise<SessionId[]>;
  /** The sessions whose rows changed since the last call. The first call returns none. */
  changed: () => Promise<ReadonlySet<SessionId>>;
};

/**
 * `formerly`: the name of this daemon before sessions recorded their machine. Such a session belongs to the daemon that wrote it last.
 */
export function openSharedStore(database: Database, { machine, formerly }: { machine: Machine; formerly: string }): SharedStore {
  let fingerprint: string | undefined;
  let seqs: ReadonlyMap<SessionId, number> = new Map();
  return {
    async elsewhere(id) {
      const [row] = await database.query({ sql: MACHINE_OF_SESSION, args: [id] });
      if (!row || row["id"] === machine.id || row["id"] === formerly) return undefined;
      return { name: row["name"] === null ? "that did not record its name" : String(row["name"]) };
    },
    async due() {
      const rows = await database.query({ sql: DUE, args: [machine.id, formerly] });
      return rows.map((row) => String(row["id"]) as SessionId);
    },
    async changed() {
      const [row] = await database.query("SELECT count(*) || ' ' || total(seq) AS fingerprint FROM session");
      const now = String(row?.["fingerprint"]);
      if (now === fingerprint) return new Set();
      const before = seqs;
      seqs = new Map((await database.query("SELECT id, seq FROM session")).map(({ id, seq }) => [String(id) as SessionId, Number(seq)]));
      const isFirst = fingerprint === undefined;
      fingerprint = now;
      if (isFirst) return new Set();
      return new Set([...before.keys(), ...seqs.keys()].filter((id) => before.get(id) !== seqs.get(id)));
    },
  };
}

/** The first event of a session names its machine. Older sessions belong to their owner. */
const OWNER = "coalesce(json_extract(event.data, '$.machine.id'), (SELECT daemon FROM owner WHERE owner.stream_id = event.stream_id))";

const MACHINE_OF_SESSION = `SELECT ${OWNER} AS id, json_extract(event.data, '$.machine.name') AS name FROM event WHERE stream_id = ? AND seq = 1`;

const DUE = `SELECT session.id FROM session JOIN event ON event.stream_id = session.id AND event.seq = 1
  WHERE session.due = 1 AND ${OWNER} IN (?, ?)`;
