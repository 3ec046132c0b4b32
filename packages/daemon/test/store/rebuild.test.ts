import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { foldEffective } from "@baton/core/session/effective-events";
import { normalizeState, type SessionState } from "@baton/core/session/state";
import Driver from "libsql";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database/database.ts";
import { rebuildProjections } from "../../src/store/rebuild-projections.ts";
import { libsqlStore } from "../simulator/world/libsql-store.ts";
import { play } from "../simulator/play.ts";
import { Folder } from "../support/folder.ts";
import { record } from "../harness/record.ts";

const LIVES = Number(process.env["BATON_REBUILT_LIVES"] ?? 12);
const program = fileURLToPath(new URL("../../dist/store.js", import.meta.url));
const recorded = readFileSync(new URL("../../../core/test/recorded-logs.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

function inStore<T>(file: string, work: (driver: Driver.Database) => T): T {
  const driver = new Driver(file, { timeout: 5_000 });
  try {
    return work(driver);
  } finally {
    driver.close();
  }
}

/** The derived tables without the times of writing, because equal content is not written again. */
const derivedIn = (file: string) =>
  inStore(file, (driver) => ({
    sessions: driver
      .prepare(
        "SELECT id, parent_id, workspace, title, mode, model, status, due, steps, cost, open_requests, archived, created_at FROM session ORDER BY id",
      )
      .all([]),
    requests: driver.prepare("SELECT * FROM request ORDER BY id").all([]),
    usage: driver.prepare("SELECT * FROM usage ORDER BY day, session_id, model").all([]),
  }));

const wipe = (driver: Driver.Database) =>
  driver.exec(
    "UPDATE session SET title = 'wrong', due = 1 - due, status = 'failed'; DELETE FROM session WHERE seq % 2 = 0; DELETE FROM request; UPDATE usage SET cost = 9; DELETE FROM snapshot",
  );

/** Each snapshot beside the state that the events up to it give. */
const snapshotsIn = (file: string) =>
  inStore(file, (driver) =>
    (driver.prepare("SELECT stream_id AS id, seq, state FROM snapshot").all([]) as { id: string; seq: number; state: string }[]).map(
      ({ id, seq, state }) => {
        const rows = driver.prepare("SELECT seq, at, data FROM event WHERE stream_id = ? AND seq <= ? ORDER BY seq").all([id, seq]);
        const events = (rows as { seq: number; at: number; data: string }[]).map(
          (row) => ({ ...(JSON.parse(row.data) as object), seq: row.seq, at: row.at }) as LoggedEvent,
        );
        return { id, said: normalizeState(JSON.parse(state) as SessionState), folded: foldEffective(events) };
      },
    ),
  );

test(
  `the derived tables of ${LIVES} simulated lives equal those that the events alone give`,
  { timeout: 60_000 + LIVES * 5_000 },
  async () => {
    let lost = 0;
    for (let seed = 1; seed <= LIVES; seed++) {
      await using store = await libsqlStore();
      expect((await play(seed, undefined, store)).broken).toEqual([]);
      const written = derivedIn(store.file);
      for (const spoil of [() => undefined, wipe]) {
        inStore(store.file, spoil);
        expect(await rebuildProjections(store.file)).toMatchObject({ sessions: written.sessions.length, left: [] });
        const rebuilt = derivedIn(store.file);
        if (JSON.stringify(rebuilt) !== JSON.stringify(written)) lost++;
        expect({ seed, ...rebuilt }).toEqual({ seed, ...written });
      }
    }
    record({ row: "rebuild", tried: LIVES, lost });
  },
);

/** A store with many copies of every recorded log, and empty derived tables. */
async function largeStore(home: string, copies: number): Promise<string> {
  const file = path.join(home, "baton.db");
  (await openDatabase(file)).close();
  inStore(file, (driver) => {
    driver.exec("BEGIN");
    const insert = driver.prepare("INSERT INTO event (stream_id, seq, at, type, data) VALUES (?,?,?,?,?)");
    for (let copy = 0; copy < copies; copy++)
      for (const [i, line] of recorded.entries()) {
        const id = `log${i}copy${copy}`;
        for (const { seq, at, ...event } of JSON.parse(line.replaceAll("\u0000", "")) as LoggedEvent[])
          insert.run([id, seq, at, event.type, JSON.stringify(event)]);
        driver.prepare("INSERT INTO session VALUES (?, NULL, '/w', 'old', 'code', NULL, 'idle', 0, 0, 0, 0, 0, 1, 1, 1, NULL)").run([id]);
      }
    driver.exec("COMMIT");
  });
  return file;
}

/** The nightly run kills at this fixed interval. A push waits longer each time, so that a slow machine does not need many more kills. */
const STEP_MS = Number(process.env["BATON_KILL_STEP_MS"] ?? 0);
const nextKill = (ms: number): number => (STEP_MS > 0 ? ms + STEP_MS : Math.ceil(ms * 1.5));

test("a killed rebuild leaves the tables as they were, or all of them new", async () => {
  using home = new Folder();
  const file = await largeStore(home.path, 4);
  const before = derivedIn(file);
  const all = new Set<string>();
  for (let ms = 20; ; ms = nextKill(ms)) {
    const env = { BATON_HOME: home.path };
    // A synchronous wait, because timers of this process may be late after other tests.
    const ended = spawnSync(process.execPath, [program, "rebuild"], { env, stdio: "ignore", timeout: ms, killSignal: "SIGKILL" });
    const killed = ended.signal === "SIGKILL";
    const now = derivedIn(file);
    all.add(JSON.stringify(now));
    if (!killed) break;
    expect(
      JSON.stringify(now.sessions) === JSON.stringify(before.sessions) ||
        now.sessions.every((row) => (row as { title: string }).title !== "old"),
    ).toBe(true);
  }
  expect(all.size).toBe(2);
  expect(derivedIn(file).sessions.length).toBe(before.sessions.length);
});

test("a long session gets a snapshot again, and each snapshot equals the state of its events", async () => {
  using home = new Folder();
  const file = await largeStore(home.path, 0);
  const logs = recorded.map((line) => JSON.parse(line) as LoggedEvent[]);
  inStore(file, (driver) => {
    const insert = driver.prepare("INSERT INTO event (stream_id, seq, at, type, data) VALUES ('long', ?, 1, ?, ?)");
    const events = logs.flat().filter(({ type }) => type !== "session.rewound");
    for (const [i, { seq: _, at: __, ...event }] of events.slice(0, 700).entries()) insert.run([i + 1, event.type, JSON.stringify(event)]);
  });
  expect(await rebuildProjections(file)).toEqual({ sessions: 1, events: 700, left: [] });
  const [snapshot, ...others] = snapshotsIn(file);
  expect(others).toEqual([]);
  expect(snapshot?.said).toEqual(snapshot?.folded);
});

test.for(["an event", "a snapshot"])("a session with %s of a later version keeps its rows, and the others are rebuilt", async (what) => {
  using home = new Folder();
  const file = await largeStore(home.path, 1);
  inStore(file, (driver) =>
    driver.exec(
      what === "an event"
        ? `UPDATE event SET data = json_set(data, '$.v', 7) WHERE stream_id = 'log3copy0' AND seq = 2`
        : "INSERT INTO snapshot (stream_id, seq, version, state) VALUES ('log3copy0', 1, 99999, '{}')",
    ),
  );
  const { sessions, left } = await rebuildProjections(file);
  expect({ sessions, left: left.map(({ id }) => id) }).toEqual({ sessions: recorded.length - 1, left: ["log3copy0"] });
  const old = inStore(file, (driver) => driver.prepare("SELECT id FROM session WHERE title = 'old'").all([]));
  expect(old).toEqual([{ id: "log3copy0" }]);
  expect(inStore(file, (driver) => driver.prepare("SELECT version FROM snapshot WHERE state = '{}'").all([]))).toHaveLength(
    what === "an event" ? 0 : 1,
  );
});

test("usage of deleted sessions stays, and rows of sessions without events are removed", async () => {
  using home = new Folder();
  const file = await largeStore(home.path, 1);
  inStore(file, (driver) =>
    driver.exec(`INSERT INTO usage VALUES ('2026-01-31', 'gone', 'm', 1, 0, 0, 1, 0, 2.5, 0, 0, 1);
      INSERT INTO session VALUES ('gone', NULL, '/w', 'gone', 'code', NULL, 'idle', 0, 0, 0, 0, 0, 1, 1, 1, NULL);
      INSERT INTO request VALUES ('gone-1', 'gone', 1, '{}')`),
  );
  await rebuildProjections(file);
  const { sessions, requests, usage } = derivedIn(file);
  expect(usage).toContainEqual(expect.objectContaining({ session_id: "gone", cost: 2.5 }));
  expect([...sessions, ...requests].filter((row) => JSON.stringify(row).includes("gone"))).toEqual([]);
});
