import { existsSync } from "node:fs";
import { eventProblem, type Logged } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { StoreRebuilt } from "@baton/core/protocol/store-report";
import { upcast } from "@baton/core/protocol/upcast";
import { STATE_VERSION } from "@baton/core/protocol/version";
import { foldStates } from "@baton/core/session/effective-events";
import { empty } from "@baton/core/session/state";
import { usageBetween, type UsageRecord } from "@baton/core/session/usage-totals";
import type Driver from "libsql";
import { allProjections } from "./projections.ts";
import { migrationsFolder } from "./database/database.ts";
import { openSqlite } from "./database/sqlite-version.ts";
import { connectLocal, plain } from "./database/local-connection.ts";
import { readSchemaStatus } from "./database/schema-status.ts";

/**
 * Makes the rows of all sessions in the derived tables anew, from the events alone. It is one transaction: whoever kills it
 * leaves the store as it was. A session that this version does not understand keeps its rows, and usage of deleted sessions
 * stays, because no events tell of it any more. Nobody else may have the store open.
 */
export async function rebuild(file: string): Promise<StoreRebuilt> {
  await refuseOther(file);
  using opened = openSqlite(file, { writes: true });
  const { driver } = opened;
  const done: StoreRebuilt = { sessions: 0, events: 0, left: [] };
  driver.exec("BEGIN IMMEDIATE");
  try {
    for (const table of ["session", "request", "snapshot"])
      driver.exec(`DELETE FROM ${table} WHERE ${KEYS[table]} NOT IN (SELECT stream_id FROM event)`);
    for (const id of sessionsIn(driver)) {
      const events = eventsOf(driver, id);
      const why = laterSnapshot(driver, id) ?? faultIn(events);
      if (why === undefined) write(driver, id, events);
      else done.left.push({ id, why });
      if (why === undefined) [done.sessions, done.events] = [done.sessions + 1, done.events + events.length];
    }
    driver.exec("COMMIT");
  } finally {
    if (driver.inTransaction) driver.exec("ROLLBACK");
  }
  return done;
}

/** The column that names the session, by table. */
const KEYS: Readonly<Record<string, string>> = { session: "id", request: "session_id", snapshot: "stream_id", usage: "session_id" };

/** Rows are written for the tables that this version knows. */
async function refuseOther(file: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const client = connectLocal(file, 5_000);
  try {
    const { standing } = await readSchemaStatus(client, migrationsFolder());
    if (standing === "newer") throw new Error(`A later version of Baton wrote ${file}. Rebuild it with that version.`);
    if (standing !== "current")
      throw new Error(`${file} has the tables of an earlier version. Start the daemon once, which brings them up to date.`);
  } finally {
    client.close();
  }
}

type Entry = { event: Logged; commandId: string | null };

/** Streams of workspaces and profiles have a colon in their names. */
const sessionsIn = (driver: Driver.Database): SessionId[] =>
  (driver.prepare("SELECT DISTINCT stream_id AS id FROM event WHERE instr(stream_id, ':') = 0").all([]) as { id: SessionId }[]).map(
    ({ id }) => id,
  );

const eventsOf = (driver: Driver.Database, id: SessionId): Entry[] =>
  (driver.prepare("SELECT seq, at, command_id, data FROM event WHERE stream_id = ? ORDER BY seq").all([id]) as EventRow[]).map(
    ({ seq, at, command_id: commandId, data }) => ({
      event: { ...upcast(JSON.parse(data) as { type: string }), seq, at } as Logged, // `faultIn` looks whether it is one
      commandId,
    }),
  );

type EventRow = { seq: number; at: number; command_id: string | null; data: string };

function laterSnapshot(driver: Driver.Database, id: SessionId): string | undefined {
  const [later] = driver.prepare("SELECT version FROM snapshot WHERE stream_id = ? AND version > ?").all([id, STATE_VERSION]);
  return later ? "a later version of Baton wrote its snapshot" : undefined;
}

function faultIn(entries: readonly Entry[]): string | undefined {
  for (const { event } of entries) {
    const fault = eventProblem(event);
    if (fault !== undefined) return `event ${event.seq}: ${fault}`;
  }
  return undefined;
}

function write(driver: Driver.Database, id: SessionId, entries: readonly Entry[]): void {
  const events = entries.map(({ event }) => event);
  const uses: UsageRecord[] = [];
  const beginning = beginningOf(entries);
  let after = empty;
  let count = 0;
  for (const state of foldStates(events)) {
    const use = ++count > beginning ? usageBetween(after, state) : undefined;
    if (use) uses.push(use);
    after = state;
  }
  for (const [table, column] of Object.entries(KEYS)) driver.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run([id]);
  for (const statement of allProjections({ id, after, seq: events.at(-1)?.seq ?? 0, uses })) {
    const { sql, values } = plain(statement);
    driver.prepare(sql).run(values);
  }
}

/** How many events a session began with: those of its first command. A fork repeats what another session has paid for. */
function beginningOf(entries: readonly Entry[]): number {
  const first = entries[0]?.commandId ?? null;
  const others = entries.findIndex(({ commandId }) => commandId !== first);
  return first === null ? 1 : others < 0 ? entries.length : others;
}
