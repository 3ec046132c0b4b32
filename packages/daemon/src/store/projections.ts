import { type SessionRow, MAX_LISTED } from "@baton/core/session/session-list";
import type { TaskPlan } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import { STATE_VERSION } from "@baton/core/protocol/version";
import { nextEffects } from "@baton/core/session/next-effects";
import { openRequests, shaped, statusOf, type SessionState, type Status } from "@baton/core/session/state";
import type { UsageRecord } from "@baton/core/session/usage-totals";
import type { InStatement } from "@libsql/client/sqlite3";
import type { Database } from "./database/database.ts";
import type { Row } from "./database/local-connection.ts";
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

/** A snapshot is taken whenever this many events have come. */
const SNAPSHOT_EVERY = 256;

/** A commit of `count` events, the last of which is `seq`, and what each of them used. */
export type Change = { id: SessionId; before: SessionState; after: SessionState; seq: number; count: number; uses: readonly UsageRecord[] };

/** The statements that bring a session's derived rows from `before` to `after`. Written in the batch of its events. */
export function projectionStatements({ id, before, after, seq, count, uses }: Change): InStatement[] {
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

/** The statements that write all derived rows of a session of which there are none. */
export const allProjections = ({ id, after, seq, uses }: Pick<Change, "id" | "after" | "seq" | "uses">): InStatement[] => [
  upsert(sessionRow(id, after, seq), isDue(after)),
  ...openRequests(after).map((request) => requestRow(id, request)),
  ...uses.map((use) => usageStatement(id, use)),
  ...(seq >= SNAPSHOT_EVERY ? [snapshotOf(id, after, seq)] : []),
];

const requestRow = (id: SessionId, request: Request): InStatement => ({
  sql: "INSERT OR REPLACE INTO request (id, session_id, opened_at, data) VALUES (?,?,?,?)",
  args: [request.id, id, request.openedAt, JSON.stringify(request)],
});

/** Whether a commit changes what a list shows of a session. */
export const changesRow = (id: SessionId, before: SessionState, after: SessionState): boolean =>
  !looksTheSame(sessionRow(id, before, 0), sessionRow(id, after, 0));

/** Most steps change nothing that a list shows; a row that is not written again costs a commit a page less. */
const looksTheSame = (a: SessionRow, b: SessionRow): boolean =>
  (Object.keys(a) as (keyof SessionRow)[]).every((column) => column === "updatedAt" || a[column] === b[column]);

const isDue = (state: SessionState): boolean => nextEffects(state).length > 0;

const upsert = (row: SessionRow, due: boolean): InStatement => ({
  sql: UPSERT,
  args: [
    row.id,
    row.parentId,
    row.workspace,
    row.title,
    row.task === null ? null : JSON.stringify(row.task),
    row.mode,
    row.model,
    row.status,
    due,
    row.steps,
    row.cost,
    row.openRequests,
    row.archived,
    row.seq,
    row.createdAt,
    row.updatedAt,
  ],
});

const snapshotOf = (id: SessionId, state: SessionState, seq: number): InStatement => ({
  sql: "INSERT OR REPLACE INTO snapshot (stream_id, seq, version, state) VALUES (?,?,?,?)",
  args: [id, seq, STATE_VERSION, JSON.stringify(state)],
});

const UPSERT = `INSERT INTO session (id, parent_id, workspace, title, task, mode, model, status, due, steps, cost, open_requests, archived, seq, created_at, updated_at)
  VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET title = excluded.title, mode = excluded.mode, model = excluded.model,
  status = excluded.status, due = excluded.due, steps = excluded.steps, cost = excluded.cost, open_requests = excluded.open_requests,
  archived = excluded.archived, seq = excluded.seq, updated_at = excluded.updated_at`;

/** The state of a session after the event `seq`. */
export type Snapshot = { seq: number; state: SessionState };

/** Questions to the derived tables. */
export type StoreLists = {
  /** The newest first, at most 500 unless `limit` says otherwise; `before`: those that nothing happened in since then, in epoch milliseconds. */
  sessions: (filter?: { workspace?: string; archived?: boolean; limit?: number; before?: number }) => Promise<SessionRow[]>;
  session: (id: SessionId) => Promise<SessionRow | undefined>;
  /** Those of these sessions that there are. */
  rows: (ids: readonly SessionId[]) => Promise<SessionRow[]>;
  /** The children of a session, and theirs. */
  below: (id: SessionId) => Promise<SessionId[]>;
  /** Open requests of all sessions, oldest first. */
  requests: () => Promise<{ sessionId: SessionId; request: Request }[]>;
  /** The newest snapshot of a session, where this `reduce` made it. `later`: that of a later version, which is not to be written over. */
  snapshot: (id: SessionId) => Promise<Snapshot | "later" | undefined>;
  /** Sessions whose loop has something to do without a person: to be opened after a start. */
  due: () => Promise<SessionId[]>;
};

export function openLists(database: Database): StoreLists {
  return {
    async sessions({ workspace, archived = false, limit = MAX_LISTED, before } = {}) {
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
      return row && { seq: Number(row["seq"]), state: shaped(JSON.parse(String(row["state"])) as SessionState) };
    },
    async due() {
      return (await database.query("SELECT id FROM session WHERE due = 1")).map((row) => String(row["id"]) as SessionId);
    },
  };
}

const fromRow = (row: Row): SessionRow => ({
  id: String(row["id"]) as SessionId,
  parentId: row["parent_id"] === null ? null : (String(row["parent_id"]) as SessionId),
  workspace: String(row["workspace"]),
  title: String(row["title"]),
  task: row["task"] === null ? null : (JSON.parse(String(row["task"])) as TaskPlan), // written above
  mode: String(row["mode"]),
  model: row["model"] === null ? null : String(row["model"]),
  status: String(row["status"]) as Status,
  steps: Number(row["steps"]),
  cost: Number(row["cost"]),
  openRequests: Number(row["open_requests"]),
  archived: Boolean(row["archived"]),
  seq: Number(row["seq"]),
  createdAt: Number(row["created_at"]),
  updatedAt: Number(row["updated_at"]),
});
