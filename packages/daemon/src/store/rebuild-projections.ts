import { existsSync } from "node:fs";
import { eventProblem, type LoggedEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { StoreRebuilt } from "@baton/core/protocol/connection/store-report";
import { upcastEvent } from "@baton/core/protocol/upcast";
import { STATE_VERSION } from "@baton/core/protocol/connection/version";
import { foldStates } from "@baton/core/session/effective-events";
import { emptyState } from "@baton/core/session/state";
import { usageBetween, type UsageRecord } from "@baton/core/session/usage/usage-totals";
import type Driver from "libsql";
import { allProjections } from "./projections.ts";
import { migrationsFolder, openDatabase } from "./database/database.ts";
import { openSearchIndex } from "./search/search-index.ts";
import { openSqlite } from "./database/sqlite-version.ts";
import { connectLocal, toDriverStatement } from "./database/local-connection.ts";
import { readSchemaStatus } from "./database/schema-status.ts";

/**
 * Rebuilds the derived rows of all sessions from the events, in one transaction, so that a kill leaves the store unchanged. A session that
 * this version does not understand keeps its rows. The usage of deleted sessions remains, because their events no longer exist. No other
 * program may use the store meanwhile.
 */
export async function rebuildProjections(file: string): Promise<StoreRebuilt> {
  await requireCurrentSchema(file);
  using opened = openSqlite(file, { writes: true });
  const { driver } = opened;
  const done: StoreRebuilt = { sessions: 0, events: 0, left: [] };
  driver.exec("BEGIN IMMEDIATE");
  try {
    for (const table of ["session", "request", "snapshot"])
      driver.exec(`DELETE FROM ${table} WHERE ${KEYS[table]} NOT IN (SELECT stream_id FROM event)`);
    for (const id of sessionsIn(driver)) {
      const events = eventsOf(driver, id);
      const why = laterSnapshot(driver, id) ?? firstProblem(events);
      if (why !== undefined) {
        done.left.push({ id, why });
        continue;
      }
      write(driver, id, events);
      done.sessions++;
      done.events += events.length;
    }
    driver.exec("COMMIT");
  } finally {
    if (driver.inTransaction) driver.exec("ROLLBACK");
  }
  await rebuildSearchIndex(file);
  return done;
}

/** Builds the search index again. If this is killed, the daemon builds the rest when it starts. */
async function rebuildSearchIndex(file: string): Promise<void> {
  const database = await openDatabase(file);
  try {
    const index = await openSearchIndex({ database, remote: false, report: () => undefined });
    index.rebuild("`db rebuild` was called");
    await index.settled();
    const problem = index.problem();
    if (problem !== undefined) throw new Error(problem);
  } finally {
    database.close();
  }
}

/** The column that names the session, by table. */
const KEYS: Readonly<Record<string, string>> = { session: "id", request: "session_id", snapshot: "stream_id", usage: "session_id" };

/** Throws unless the store has the tables of this version. */
async function requireCurrentSchema(file: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`The file ${file} does not exist.`);
  const client = connectLocal(file, 5_000);
  try {
    const { status } = await readSchemaStatus(client, migrationsFolder());
    if (status === "newer") throw new Error(`A later version of Baton wrote ${file}. Rebuild it with that version.`);
    if (status !== "current") throw new Error(`${file} has the tables of an earlier version. Start the daemon once to migrate it.`);
  } finally {
    client.close();
  }
}

type Entry = { event: LoggedEvent; commandId: string | null };

/** Only the names of other streams, such as workspaces and profiles, contain a colon. */
const sessionsIn = (driver: Driver.Database): SessionId[] =>
  (driver.prepare("SELECT DISTINCT stream_id AS id FROM event WHERE instr(stream_id, ':') = 0").all([]) as { id: SessionId }[]).map(
    ({ id }) => id,
  );

const eventsOf = (driver: Driver.Database, id: SessionId): Entry[] =>
  (driver.prepare("SELECT seq, at, command_id, data FROM event WHERE stream_id = ? ORDER BY seq").all([id]) as EventRow[]).map(
    ({ seq, at, command_id: commandId, data }) => ({
      event: { ...upcastEvent(JSON.parse(data) as { type: string }), seq, at } as LoggedEvent, // `firstProblem` checks it
      commandId,
    }),
  );

type EventRow = { seq: number; at: number; command_id: string | null; data: string };

function laterSnapshot(driver: Driver.Database, id: SessionId): string | undefined {
  const [later] = driver.prepare("SELECT version FROM snapshot WHERE stream_id = ? AND version > ?").all([id, STATE_VERSION]);
  return later ? "a later version of Baton wrote its snapshot" : undefined;
}

function firstProblem(entries: readonly Entry[]): string | undefined {
  for (const { event } of entries) {
    const problem = eventProblem(event);
    if (problem !== undefined) return `event ${event.seq}: ${problem}`;
  }
  return undefined;
}

function write(driver: Driver.Database, id: SessionId, entries: readonly Entry[]): void {
  const events = entries.map(({ event }) => event);
  const uses: UsageRecord[] = [];
  const beginning = beginningOf(entries);
  let after = emptyState;
  let count = 0;
  for (const state of foldStates(events)) {
    const use = ++count > beginning ? usageBetween(after, state) : undefined;
    if (use) uses.push(use);
    after = state;
  }
  for (const [table, column] of Object.entries(KEYS)) driver.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run([id]);
  for (const statement of allProjections({ id, after, seq: events.at(-1)?.seq ?? 0, uses })) {
    const { sql, values } = toDriverStatement(statement);
    driver.prepare(sql).run(values);
  }
}

/** The number of events of a session's first command. The events that a fork repeats were already paid for. */
function beginningOf(entries: readonly Entry[]): number {
  const first = entries[0]?.commandId ?? null;
  if (first === null) return 1;
  const end = entries.findIndex(({ commandId }) => commandId !== first);
  return end < 0 ? entries.length : end;
}
