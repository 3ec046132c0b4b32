import { type SessionRow, DEFAULT_SESSION_LIST_LENGTH } from "@baton/core/session/session-list";
import type { TaskSchedule } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import { STATE_VERSION } from "@baton/core/protocol/connection/version";
import { nextEffects } from "@baton/core/session/next-effects";
import { openRequests, normalizeState, statusOf, type SessionState, type SessionRunStatus } from "@baton/core/session/state";
import type { UsageRecord } from "@baton/core/session/usage/usage-totals";
import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "./database/database.ts";
import type { SqlRow } from "./database/local-connection.ts";
import type { session } from "./schema.ts";
import { usageStatement } from "./usage-ledger.ts";

export function sessionRow(id: SessionId, state: SessionState, seq: number): SessionRow {
  return {
    id,
    parentId: state.parent?.sessionId ?? null,
    workspace: state.workspace,
    title: state.title,
    task: state.parent?.task ?? null,
    mode: state.mode,
    model: state.model ?? state.step?.model ?? null,
    status: statusOf(state),
    steps: state.counts.steps,
    cost: state.usage.cost,
    openRequests: openRequests(state).length,
    archived: state.archived,
    seq,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
  };
}

/** The number of events between two snapshots. */
const SNAPSHOT_EVERY = 256;

/** A commit of `count` events up to `seq`, and the usage of each of them. */
export type StateCommit = {
  id: SessionId;
  before: SessionState;
  after: SessionState;
  seq: number;
  count: number;
  uses: readonly UsageRecord[];
};

/** The statements that update a session's derived rows from `before` to `after`, for the batch of its events. */
export function projectionStatements({ id, before, after, seq, count, uses }: StateCommit): InStatement[] {
  const row = sessionRow(id, after, seq);
  const was = new Map(openRequests(before).map((request) => [request.id, request]));
  const is = new Map(openRequests(after).map((request) => [request.id, request]));
  const opened = [...is.values()].filter((request) => !was.has(request.id));
  const closed = [...was.keys()].filter((request) => !is.has(request));
  return [
    ...(looksTheSame(sessionRow(id, before, seq), row) && isDue(before) === isDue(after) ? [] : [upsert(row, isDue(after))]),
    ...opened.map((request) => requestRow(id, request)),
    ...closed.map((request) => ({ sql: "DELETE FROM request WHERE id = ?", args: [request] })),
    ...uses.map((use) => usageStatement(id, use)),
    ...(Math.floor(seq / SNAPSHOT_EVERY) > Math.floor((seq - count) / SNAPSHOT_EVERY) ? [snapshotOf(id, after, seq)] : []),
  ];
}

/** The statements that write all derived rows of a session that has none. */
export const allProjections = ({ id, after, seq, uses }: Pick<StateCommit, "id" | "after" | "seq" | "uses">): InStatement[] => [
  upsert(sessionRow(id, after, seq), isDue(after)),
  ...openRequests(after).map((request) => requestRow(id, request)),
  ...uses.map((use) => usageStatement(id, use)),
  ...(seq >= SNAPSHOT_EVERY ? [snapshotOf(id, after, seq)] : []),
];

const requestRow = (id: SessionId, request: Request): InStatement => ({
  sql: "INSERT OR REPLACE INTO request (id, session_id, opened_at, data) VALUES (?,?,?,?)",
  args: [request.id, id, request.openedAt, JSON.stringify(request)],
});

/** True if a commit changes the row of a session in lists. */
export const changesRow = (id: SessionId, before: SessionState, after: SessionState): boolean =>
  !looksTheSame(sessionRow(id, before, 0), sessionRow(id, after, 0));

/** Ignores the time, because most steps change nothing else. Each row that is not written saves a page in the commit. */
const looksTheSame = (a: SessionRow, b: SessionRow): boolean =>
  (Object.keys(a) as (keyof SessionRow)[]).every((column) => column === "updatedAt" || a[column] === b[column]);

const isDue = (state: SessionState): boolean => nextEffects(state).length > 0 || state.processes.length > 0;

type Column = keyof typeof session.$inferSelect;

/** The columns of the table by the names of their fields. The schema decides which there are. */
const COLUMNS: Readonly<Record<Column, string>> = {
  id: "id",
  parentId: "parent_id",
  workspace: "workspace",
  title: "title",
  task: "task",
  mode: "mode",
  model: "model",
  status: "status",
  due: "due",
  steps: "steps",
  cost: "cost",
  openRequests: "open_requests",
  archived: "archived",
  seq: "seq",
  createdAt: "created_at",
  updatedAt: "updated_at",
};
const FIELDS = Object.keys(COLUMNS) as Column[]; // the keys of the table above

/** Columns that never change after a session was created. */
const FIXED: ReadonlySet<Column> = new Set(["id", "parentId", "workspace", "task", "createdAt"]);

const UPSERT = `INSERT INTO session (${Object.values(COLUMNS).join(", ")}) VALUES (${FIELDS.map(() => "?").join(",")})
  ON CONFLICT (id) DO UPDATE SET ${FIELDS.filter((field) => !FIXED.has(field))
    .map((field) => `${COLUMNS[field]} = excluded.${COLUMNS[field]}`)
    .join(", ")}`;

function upsert(row: SessionRow, due: boolean): InStatement {
  const values: typeof session.$inferSelect = { ...row, due, task: row.task === null ? null : JSON.stringify(row.task) };
  return { sql: UPSERT, args: FIELDS.map((field) => values[field]) };
}

const snapshotOf = (id: SessionId, state: SessionState, seq: number): InStatement => ({
  sql: "INSERT OR REPLACE INTO snapshot (stream_id, seq, version, state) VALUES (?,?,?,?)",
  args: [id, seq, STATE_VERSION, JSON.stringify(state)],
});

/** The state of a session after the event `seq`. */
export type StateSnapshot = { seq: number; state: SessionState };

/** Queries of the derived tables. */
export type StoreLists = {
  /** Newest first, at most 500 by default. `before`: only sessions that have not changed since then, in epoch milliseconds. */
  sessions: (filter?: { workspace?: string; archived?: boolean; limit?: number; before?: number }) => Promise<SessionRow[]>;
  session: (id: SessionId) => Promise<SessionRow | undefined>;
  /** The rows of those of these sessions that exist. */
  rows: (ids: readonly SessionId[]) => Promise<SessionRow[]>;
  /** All descendants of a session. */
  below: (id: SessionId) => Promise<SessionId[]>;
  /** Open requests of all sessions, oldest first. */
  requests: () => Promise<{ sessionId: SessionId; request: Request }[]>;
  /** The newest snapshot of a session if this version of `reduce` made it. `later`: a later version made it, so it must not be overwritten. */
  snapshot: (id: SessionId) => Promise<StateSnapshot | "later" | undefined>;
  /** Sessions whose loop has work to do without the user. The daemon opens them when it starts. */
  due: () => Promise<SessionId[]>;
};

export function openLists(database: Database): StoreLists {
  return {
    async sessions({ workspace, archived = false, limit = DEFAULT_SESSION_LIST_LENGTH, before } = {}) {
      const rows = await database.query({
        sql: `SELECT * FROM session WHERE archived = ? AND (? IS NULL OR workspace = ?) AND (? IS NULL OR updated_at < ?) ORDER BY updated_at DESC LIMIT ?`,
        args: [archived, workspace ?? null, workspace ?? null, before ?? null, before ?? null, limit],
      });
      return rows.map(fromRow);
    },
    async session(id) {
      const [row] = await database.query({ sql: "SELECT * FROM session WHERE id = ?", args: [id] });
      return row && fromRow(row);
    },
    async rows(ids) {
      const rows = await database.query({
        sql: "SELECT * FROM session WHERE id IN (SELECT value FROM json_each(?))",
        args: [JSON.stringify(ids)],
      });
      return rows.map(fromRow);
    },
    async below(id) {
      const rows = await database.query({ sql: "SELECT id FROM session WHERE id LIKE ? || '.%'", args: [id] });
      return rows.map((row) => String(row["id"]) as SessionId);
    },
    async requests() {
      const rows = await database.query("SELECT session_id, data FROM request ORDER BY opened_at");
      return rows.map((row) => ({
        sessionId: String(row["session_id"]) as SessionId,
        request: JSON.parse(String(row["data"])) as Request,
      }));
    },
    async snapshot(id) {
      const [row] = await database.query({
        sql: "SELECT seq, version, CASE version WHEN ? THEN state END AS state FROM snapshot WHERE stream_id = ? AND version >= ?",
        args: [STATE_VERSION, id, STATE_VERSION],
      });
      if (row && Number(row["version"]) > STATE_VERSION) return "later";
      return row && { seq: Number(row["seq"]), state: normalizeState(JSON.parse(String(row["state"])) as SessionState) };
    },
    async due() {
      return (await database.query("SELECT id FROM session WHERE due = 1")).map((row) => String(row["id"]) as SessionId);
    },
  };
}

const fromRow = (row: SqlRow): SessionRow => ({
  id: String(row["id"]) as SessionId,
  parentId: row["parent_id"] === null ? null : (String(row["parent_id"]) as SessionId),
  workspace: String(row["workspace"]),
  title: String(row["title"]),
  task: row["task"] === null ? null : (JSON.parse(String(row["task"])) as TaskSchedule), // written above
  mode: String(row["mode"]),
  model: row["model"] === null ? null : String(row["model"]),
  status: String(row["status"]) as SessionRunStatus,
  steps: Number(row["steps"]),
  cost: Number(row["cost"]),
  openRequests: Number(row["open_requests"]),
  archived: Boolean(row["archived"]),
  seq: Number(row["seq"]),
  createdAt: Number(row["created_at"]),
  updatedAt: Number(row["updated_at"]),
});
