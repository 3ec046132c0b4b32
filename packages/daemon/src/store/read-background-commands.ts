import type { BackgroundCommand } from "@baton/core/session/background-command";
import { eventProblem, type EventOf } from "@baton/core/protocol/event";
import { SessionId } from "@baton/core/protocol/ids";
import { upcastEvent } from "@baton/core/protocol/upcast";
import type { Database } from "./database/database.ts";

/** Reads the background commands of a session, or of the newest sessions, newest first. Without an end in the log a command is `running`. */
export type ReadBackgroundCommands = (input: {
  sessionId?: string | undefined;
  workspace?: string | undefined;
}) => Promise<BackgroundCommand[]>;

type Ended = EventOf<"process.ended">;

export function openBackgroundCommandReader(database: Pick<Database, "query">): ReadBackgroundCommands {
  return async ({ sessionId, workspace }) => {
    const rows = await database.query(
      sessionId === undefined ? { sql: OF_NEWEST, args: [workspace ?? null, workspace ?? null] } : { sql: OF_SESSION, args: [sessionId] },
    );
    const commands = new Map<string, BackgroundCommand>();
    for (const row of rows) {
      const event = upcastEvent(JSON.parse(String(row["data"])) as { type: string });
      if (eventProblem(event) !== undefined) continue;
      const known = event as EventOf<"process.started"> | Ended; // the query reads no other types, and `eventProblem` has checked it
      const stream = SessionId.parse(row["stream_id"]);
      const key = `${stream} ${known.processId}`;
      const at = Number(row["at"]);
      const started = commands.get(key);
      if (known.type === "process.started")
        commands.set(key, { sessionId: stream, id: known.callId, command: known.command, startedAt: at, status: "running" });
      else if (started) commands.set(key, { ...started, ...endOf(known), endedAt: at });
    }
    return [...commands.values()].toSorted((a, b) => b.startedAt - a.startedAt);
  };
}

const endOf = ({ reason, exitCode }: Ended): Pick<BackgroundCommand, "status" | "exitCode"> =>
  reason === "exited" ? { status: "exited", exitCode } : { status: reason === "lost" ? "unknown" : "stopped" };

const TYPES = "type IN ('process.started', 'process.ended')";

const OF_SESSION = `SELECT stream_id, at, data FROM event WHERE stream_id = ? AND ${TYPES} ORDER BY seq`;

/** Old sessions are left out, because the events have no index by type. */
const OF_NEWEST = `SELECT stream_id, at, data FROM event
  WHERE stream_id IN (SELECT id FROM session WHERE archived = 0 AND (? IS NULL OR workspace = ?) ORDER BY updated_at DESC LIMIT 100) AND ${TYPES}
  ORDER BY stream_id, seq`;
