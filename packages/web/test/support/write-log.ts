import path from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { SessionEvent, type Logged } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import { reduce } from "@baton/core/session/reduce";
import { empty } from "@baton/core/session/state";
import { derivedOf } from "../../../daemon/src/log/derived.ts";

/**
 * Writes events into the log of a stopped daemon, as if they had happened there, after those that a session has: for
 * what no scripted model brings about. What is derived from them is written as the daemon would.
 */
export function writeLog(home: string, id: SessionId, events: readonly SessionEvent[]): void {
  using database = new DatabaseSync(path.join(home, "baton.db"));
  const before = database
    .prepare("SELECT seq, at, data FROM event WHERE stream_id = ? ORDER BY seq")
    .all(id)
    .map((row) => ({ ...SessionEvent.parse(JSON.parse(String(row["data"]))), seq: Number(row["seq"]), at: Number(row["at"]) }));
  const added = events.map((event, i): Logged => ({ ...SessionEvent.parse(event), seq: before.length + 1 + i, at: Date.now() }));
  const was = before.reduce(reduce, empty);
  const is = added.reduce(reduce, was);
  const insert = database.prepare("INSERT INTO event (stream_id, seq, at, type, data) VALUES (?,?,?,?,?)");
  for (const { seq, at, ...event } of added) insert.run(id, seq, at, event.type, JSON.stringify(event));
  for (const statement of derivedOf(id, was, is, before.length + added.length, added.length)) {
    if (typeof statement === "string") throw new Error("a derived statement has arguments");
    const args: SQLInputValue[] = Array.isArray(statement.args) ? statement.args.map(asSql) : [];
    database.prepare(statement.sql).run(...args);
  }
}

const asSql = (value: unknown): SQLInputValue => (typeof value === "boolean" ? Number(value) : (value as SQLInputValue)); // as `derivedOf` gives it
