import type { SessionId } from "@baton/core/protocol/ids";
import type { Database } from "./database.ts";
import type { Machine } from "../machine-id.ts";

/** What only a store has that several machines share. */
export type SharedStore = {
  /** The machine that a session belongs to, where it is not this one. `undefined` too for a session that has no events. */
  elsewhere: (id: SessionId) => Promise<Pick<Machine, "name"> | undefined>;
  /** Sessions of this machine whose loop has something to do. */
  due: () => Promise<SessionId[]>;
  /** The sessions whose rows anybody has changed or removed since the last call. The first call gives none. */
  changed: () => Promise<ReadonlySet<SessionId>>;
};

/**
 * `formerly` is what this daemon was called when sessions did not record their machine: such a session belongs to the
 * daemon that wrote it last.
 */
export function openSharedStore(database: Database, { machine, formerly }: { machine: Machine; formerly: string }): SharedStore {
  let mark: string | undefined;
  let seqs: ReadonlyMap<SessionId, number> = new Map();
  return {
    async elsewhere(id) {
      const [row] = await database.query({ sql: WHOSE, args: [id] });
      if (!row || row["id"] === machine.id || row["id"] === formerly) return undefined;
      return { name: row["name"] === null ? "that did not record its name" : String(row["name"]) };
    },
    async due() {
      const rows = await database.query({ sql: DUE, args: [machine.id, formerly] });
      return rows.map((row) => String(row["id"]) as SessionId);
    },
    async changed() {
      const [row] = await database.query("SELECT count(*) || ' ' || total(seq) AS mark FROM session");
      const now = String(row?.["mark"]);
      if (now === mark) return new Set();
      const before = seqs;
      seqs = new Map((await database.query("SELECT id, seq FROM session")).map(({ id, seq }) => [String(id) as SessionId, Number(seq)]));
      const isFirst = mark === undefined;
      mark = now;
      if (isFirst) return new Set();
      return new Set([...before.keys(), ...seqs.keys()].filter((id) => before.get(id) !== seqs.get(id)));
    },
  };
}

/** A session's first event says which machine it belongs to. Those from before that belong to whoever owns them. */
const OWNER = "coalesce(json_extract(event.data, '$.machine.id'), (SELECT daemon FROM owner WHERE owner.stream_id = event.stream_id))";

const WHOSE = `SELECT ${OWNER} AS id, json_extract(event.data, '$.machine.name') AS name FROM event WHERE stream_id = ? AND seq = 1`;

const DUE = `SELECT session.id FROM session JOIN event ON event.stream_id = session.id AND event.seq = 1
  WHERE session.due = 1 AND ${OWNER} IN (?, ?)`;
