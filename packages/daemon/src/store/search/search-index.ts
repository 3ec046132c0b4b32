import { setImmediate } from "node:timers/promises";
import { eventProblem, type LoggedEvent, type SessionEvent } from "@baton/core/protocol/event";
import { SESSIONLESS_STREAM } from "@baton/core/protocol/ids";
import { upcastEvent } from "@baton/core/protocol/upcast";
import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "../database/database.ts";
import { StoreFault } from "../database/store-error.ts";
import type { EventAppend, StreamEvent } from "../event-log.ts";
import { indexedWords } from "./searchable-text.ts";

/**
 * The index of this version. A change of the indexed words or of the table needs another name. The daemon then builds the new table from
 * the log and drops the old one. The index stores no texts: a row is the words of one event, and its rowid is the session's number
 * (`search_session.n`) and the event's seq.
 */
export const SEARCH_TABLE = "search_1";

const CREATE = `CREATE VIRTUAL TABLE IF NOT EXISTS ${SEARCH_TABLE} USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')`;

/** The bits of a rowid that hold the seq. */
export const SEQ_BITS = 28;
export const SEQ_MASK = 2 ** SEQ_BITS - 1;

/** Events that are indexed in one transaction. */
const PAGE = 200;

/** The pages that one step of a merge writes. */
const MERGED_PAGES = 200;

export type SearchIndex = {
  /** The statements that index the events of a commit, for its batch. */
  statements: (step: EventAppend<StreamEvent>) => InStatement[];
  /** The statements that remove sessions, for the batch that deletes them. `purge` then removes their words from the file. */
  dropStatements: (ids: readonly string[]) => InStatement[];
  /** Removes the words of deleted sessions from the file. */
  purge: () => Promise<void>;
  /** Builds the index again in the background. */
  rebuild: (why: string) => void;
  /** Resolves when no work in the background is left. */
  settled: () => Promise<void>;
  /** The reason why searching is impossible, if it is. */
  problem: () => string | undefined;
  close: () => Promise<void>;
};

type SearchIndexOptions = {
  database: Database;
  /** The store is on a server. */
  remote: boolean;
  report: (what: string, error?: unknown) => void;
};

/** Opens the index. If it is missing or of another version, builds it in the background while the daemon works. */
export async function openSearchIndex({ database, remote, report }: SearchIndexOptions): Promise<SearchIndex> {
  let problem: string | undefined;
  let closed = false;
  let work: Promise<unknown> = Promise.resolve();
  let rebuilding = false;

  const inBackground = (task: () => Promise<void>): Promise<void> => {
    const running = work.then(async () => {
      if (!closed && problem === undefined) await task();
    });
    work = running.catch((error: unknown) => closed || report("the search index could not be built", error));
    return running;
  };

  /** Drops every index, creates an empty one, and notes which events each session has. The newest sessions get the highest numbers. */
  const create = async (): Promise<boolean> => {
    try {
      const before = await searchTables(database);
      await database.write([...before.flatMap(dropTable), CREATE, "DELETE FROM search_session", ASSIGN_NUMBERS]);
      return true;
    } catch (error) {
      problem = `This store cannot be searched, because its index cannot be created: ${error instanceof Error ? error.message : String(error)}`;
      report("the search index cannot be created", error);
      return false;
    }
  };

  const fill = async (): Promise<void> => {
    while (!closed) {
      const [next] = await database.query(NEXT_SESSION);
      if (!next) return;
      await indexPage(database, String(next["session_id"]), Number(next["pending"]));
      await setImmediate();
    }
  };

  const rebuild = (why: string): void => {
    if (rebuilding || problem !== undefined) return;
    rebuilding = true;
    report(`${why}; Baton builds the search index again in the background`);
    void inBackground(async () => {
      const isThere = await create().finally(() => (rebuilding = false));
      if (isThere) await fill();
    }).catch(() => undefined); // reported above
  };

  const purge = async (): Promise<void> => {
    const deleted = (await database.query("SELECT n FROM search_session WHERE session_id IS NULL")).map(({ n }) => Number(n));
    if (deleted.length === 0) return;
    if (remote) await database.write([OPTIMIZE_SEARCH_INDEX]);
    else await mergeAll(database, () => closed);
    if (!closed)
      await database.erase([
        { sql: "DELETE FROM search_session WHERE n IN (SELECT value FROM json_each(?))", args: [JSON.stringify(deleted)] },
      ]);
  };

  const tables = await searchTables(database);
  const others = tables.filter((name) => name !== SEARCH_TABLE);
  if (database.problem() !== undefined) {
    if (!tables.includes(SEARCH_TABLE)) problem = "This store has no search index, and Baton does not write to it.";
  } else {
    if (!tables.includes(SEARCH_TABLE) || others.length > 0) {
      const [row] = await database.query("SELECT count(*) AS sessions FROM session");
      const sessions = Number(row?.["sessions"]);
      const why = others.length > 0 ? "the search index is of another version" : "the search index is missing";
      if (sessions > 0) report(`${why}; Baton builds it in the background for ${sessions} sessions`);
      await create();
    }
    void inBackground(async () => {
      await fill();
      await purge();
    }).catch(() => undefined); // reported above
  }

  return {
    statements({ streamId, after, events }) {
      if (problem !== undefined || isOtherStream(streamId)) return [];
      const rows = events.flatMap((event, i) => rowOf(event as SessionEvent, after + 1 + i)); // streams of sessions have such events only
      return [
        ...(after === 0 ? [{ sql: "INSERT OR IGNORE INTO search_session (session_id, pending) VALUES (?, 0)", args: [streamId] }] : []),
        ...(rows.length === 0 ? [] : [{ sql: INSERT, args: [JSON.stringify(rows), streamId] }]),
      ];
    },
    dropStatements: (ids) => (problem === undefined ? ids.flatMap((id) => DROP.map((sql) => ({ sql, args: [id] }))) : []),
    purge: () => inBackground(purge),
    rebuild,
    settled: async () => {
      let last: unknown;
      while (last !== work) await (last = work);
    },
    problem: () => problem,
    close: async () => {
      closed = true;
      await work;
    },
  };
}

/** The indexes of all versions. */
const searchTables = async (database: Database): Promise<string[]> => (await database.query(SEARCH_TABLES)).map(({ name }) => String(name));

/** SQLite only drops an index that it can open. So missing tables of the index are created, and it is emptied first. */
const dropTable = (name: string): string[] => [
  `CREATE TABLE IF NOT EXISTS ${name}_data (id INTEGER PRIMARY KEY, block BLOB)`,
  `DELETE FROM ${name}_data`,
  `INSERT INTO ${name}_data VALUES (1, x''), (10, x'0000000000')`,
  `CREATE TABLE IF NOT EXISTS ${name}_idx (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS ${name}_docsize (id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER)`,
  `CREATE TABLE IF NOT EXISTS ${name}_config (k PRIMARY KEY, v) WITHOUT ROWID`,
  `INSERT OR IGNORE INTO ${name}_config VALUES ('version', 4)`,
  `DROP TABLE ${name}`,
];

/** True if an error may come from the index. The same write without the index shows whether it does. */
export function mayBeIndexFault(error: unknown): boolean {
  const [cause, conflict] = error instanceof StoreFault ? [error.cause, error.conflict] : [error, false];
  return !conflict && cause instanceof Error && "code" in cause && /^SQLITE_(CORRUPT_VTAB|ERROR|CONSTRAINT)/.test(String(cause.code));
}

/** Indexes the newest events of a session that are not indexed yet. `pending` makes the batch empty if another daemon was faster. */
async function indexPage(database: Database, id: string, pending: number): Promise<void> {
  const events = await database.query({ sql: EVENTS, args: [id, pending, PAGE] });
  const rows = events.flatMap(({ seq, data }) => {
    const event = readEvent(String(data));
    return event ? rowOf(event, Number(seq)) : [];
  });
  const rest = events.length < PAGE ? 0 : Number(events.at(-1)?.["seq"]) - 1;
  await database.write([
    { sql: `${INSERT} AND pending = ?`, args: [JSON.stringify(rows), id, pending] },
    { sql: "UPDATE search_session SET pending = ? WHERE session_id = ? AND pending = ?", args: [rest, id, pending] },
  ]);
}

/** An event of the log. Undefined if this version does not understand it. */
function readEvent(data: string): SessionEvent | undefined {
  const event = upcastEvent(JSON.parse(data) as { type: string });
  return eventProblem(event) === undefined ? (event as LoggedEvent) : undefined; // `eventProblem` has checked it
}

/** Merges the parts of the index step by step, so that other work continues. The last step changes nothing but its own statement. */
async function mergeAll(database: Database, isClosed: () => boolean): Promise<void> {
  const changes = async () => Number((await database.query("SELECT total_changes() AS n"))[0]?.["n"]);
  for (let pages = -MERGED_PAGES; !isClosed(); pages = MERGED_PAGES) {
    const before = await changes();
    await database.write([{ sql: `INSERT INTO ${SEARCH_TABLE} (${SEARCH_TABLE}, rank) VALUES ('merge', ?)`, args: [pages] }]);
    if ((await changes()) - before < 2) return;
    await setImmediate();
  }
}

function rowOf(event: SessionEvent, seq: number): [seq: number, words: string][] {
  const found = indexedWords(event);
  return found === "" ? [] : [[seq, found]];
}

/** Streams of workspaces and profiles have a colon in their names. */
const isOtherStream = (streamId: string): boolean => streamId.includes(":") || streamId === SESSIONLESS_STREAM;

export const OPTIMIZE_SEARCH_INDEX = `INSERT INTO ${SEARCH_TABLE} (${SEARCH_TABLE}) VALUES ('optimize')`;

const SEARCH_TABLES = "SELECT name FROM sqlite_master WHERE name GLOB 'search_[0-9]*' AND sql LIKE 'CREATE VIRTUAL TABLE%'";

const ASSIGN_NUMBERS = `INSERT INTO search_session (session_id, pending)
  SELECT id, coalesce((SELECT max(seq) FROM event WHERE stream_id = session.id), 0) FROM session ORDER BY created_at, id`;

const NEXT_SESSION = "SELECT session_id, pending FROM search_session WHERE pending > 0 ORDER BY n DESC LIMIT 1";

const EVENTS = "SELECT seq, data FROM event WHERE stream_id = ? AND seq <= ? ORDER BY seq DESC LIMIT ?";

const INSERT = `INSERT INTO ${SEARCH_TABLE} (rowid, words)
  SELECT (n << ${SEQ_BITS}) | (value ->> 0), value ->> 1 FROM search_session, json_each(?) WHERE session_id = ?`;

const DROP = [
  `DELETE FROM ${SEARCH_TABLE} WHERE rowid >= (SELECT n << ${SEQ_BITS} FROM search_session WHERE session_id = ?1)
    AND rowid <= (SELECT (n << ${SEQ_BITS}) | ${SEQ_MASK} FROM search_session WHERE session_id = ?1)`,
  "UPDATE search_session SET session_id = NULL, pending = 0 WHERE session_id = ?",
];
