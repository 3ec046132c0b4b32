import { eventProblem, WorkspaceEvent, type LoggedEvent } from "@baton/core/protocol/event";
import { upcastEvent } from "@baton/core/protocol/upcast";
import type { Database } from "../database/database.ts";
import type { SqlRow } from "../database/local-connection.ts";
import { emptyAudit, foldAudit, workspaceRow, type AuditCall, type AuditRow, type AuditState } from "./audit-projection.ts";

/** Where the next page begins: after this session. */
type AuditCursor = { createdAt: number; id: string };

type AuditInput = {
  workspace?: string | undefined;
  sessionId?: string | undefined;
  /** Epoch milliseconds. */
  since?: number | undefined;
  until?: number | undefined;
  after?: AuditCursor | undefined;
};

/**
 * The decisions of some sessions, oldest session first. The first page begins with those of folders, whose `sessionId` is empty. `next` is
 * undefined after the last page.
 */
type AuditPage = { rows: (AuditRow & { sessionId: string; workspace: string })[]; next?: AuditCursor };

export type ReadAudit = (input: AuditInput) => Promise<AuditPage>;

/** A page ends with the session that reaches this many rows or sessions, so it holds the rows of whole sessions. */
const ROWS = 500;
const SESSIONS = 200;
/** Events that are read at once. */
const EVENTS = 500;

/** Reads who allowed or denied what, from the events. Only one part of one session is in memory at a time. */
export function openAudit(database: Pick<Database, "query">): ReadAudit {
  return async ({ workspace, sessionId, since = 0, until = Number.MAX_SAFE_INTEGER, after }) => {
    const isFirst = after === undefined;
    const start = after ?? { createdAt: -1, id: "" };
    const [folder, only] = [workspace ?? null, sessionId ?? null];
    const sessions = await database.query({
      sql: SESSION_PAGE,
      args: [start.createdAt, start.createdAt, start.id, folder, folder, only, only, SESSIONS],
    });
    const isWanted = ({ at }: AuditRow) => at >= since && at < until;
    const rows: AuditPage["rows"] =
      isFirst && sessionId === undefined ? (await decisionsOfFolders(database, workspace)).filter(isWanted) : [];
    for (const session of sessions) {
      const id = String(session["id"]);
      for await (const row of decisionsOf(database, id))
        if (isWanted(row)) rows.push({ ...row, sessionId: id, workspace: String(session["workspace"]) });
      if (rows.length >= ROWS) return { rows, next: cursorOf(session) };
    }
    const last = sessions.at(-1);
    return last && sessions.length === SESSIONS ? { rows, next: cursorOf(last) } : { rows };
  };
}

async function* decisionsOf(database: Pick<Database, "query">, id: string): AsyncGenerator<AuditRow> {
  const state = emptyAudit();
  let seq = 0;
  for (;;) {
    const events = await database.query({ sql: EVENT_PAGE, args: [id, seq, EVENTS] });
    for (const row of events) {
      seq = Number(row["seq"]);
      const calls = row["calls"];
      if (typeof calls === "string") for (const [call, about] of callsOf(calls)) state.calls.set(call, about);
      const event = calls === null ? eventOf(row) : undefined;
      const decision = event && foldAudit(state, event);
      if (decision) yield decision;
    }
    if (events.length < EVENTS) return;
  }
}

/** The decisions that folders keep, in the first page. There are few of them. */
async function decisionsOfFolders(database: Pick<Database, "query">, workspace: string | undefined): Promise<AuditPage["rows"]> {
  const events = await database.query(FOLDER_EVENTS);
  const states = new Map<string, AuditState>();
  return events.flatMap((event) => {
    const folder = String(event["stream_id"]).slice(FOLDER_STREAM.length);
    if (workspace !== undefined && folder !== workspace) return [];
    const parsed = WorkspaceEvent.safeParse(upcastEvent(JSON.parse(String(event["data"])) as { type: string }), { jitless: true });
    if (!parsed.success) return [];
    const state = states.get(folder) ?? emptyAudit();
    states.set(folder, state);
    const row = workspaceRow(state, { ...parsed.data, seq: Number(event["seq"]), at: Number(event["at"]) });
    return row ? [{ ...row, sessionId: "", workspace: folder }] : [];
  });
}

const FOLDER_STREAM = "workspace:";

const FOLDER_EVENTS = `SELECT stream_id, seq, at, data FROM event WHERE stream_id > '${FOLDER_STREAM}' AND stream_id < 'workspace;' ORDER BY at`;

const callsOf = (calls: string): [string, AuditCall][] =>
  (JSON.parse(calls) as [string, string, string][]).map(([call, tool, object]) => [call, { tool, object }]); // selected below

function eventOf(row: SqlRow): LoggedEvent | undefined {
  const event = { ...upcastEvent(JSON.parse(String(row["data"])) as { type: string }), seq: Number(row["seq"]), at: Number(row["at"]) };
  return eventProblem(event) === undefined ? (event as LoggedEvent) : undefined; // `eventProblem` has checked it
}

const cursorOf = (session: SqlRow): AuditCursor => ({ createdAt: Number(session["created_at"]), id: String(session["id"]) });

const SESSION_PAGE = `SELECT id, workspace, created_at FROM session
  WHERE (created_at > ? OR (created_at = ? AND id > ?)) AND (? IS NULL OR workspace = ?) AND (? IS NULL OR id = ?)
  ORDER BY created_at, id LIMIT ?`;

/** Of a reply only the labels of its calls are read, because the rest is large. */
const EVENT_PAGE = `SELECT seq, at,
    CASE type
      WHEN 'model.replied' THEN (SELECT json_group_array(json_array(value ->> 'id', value ->> 'tool', value ->> '$.label.object'))
        FROM json_each(data, '$.calls'))
      WHEN 'call.received' THEN json_array(json_array(data ->> '$.call.id', data ->> '$.call.tool', data ->> '$.call.label.object'))
    END AS calls,
    CASE WHEN type NOT IN ('model.replied', 'call.received') THEN data END AS data
  FROM event
  WHERE stream_id = ? AND seq > ?
    AND (type IN ('model.replied', 'call.received', 'tool.allowed', 'request.opened', 'request.answered', 'grant.given', 'grant.revoked')
      OR (type = 'tool.finished' AND data ->> '$.result.outcome' = 'denied'))
  ORDER BY seq LIMIT ?`;
