import path from "node:path";
import { createClient } from "@libsql/client/sqlite3";
import { TestDaemon } from "../test/support/daemon.ts";
import { script } from "../test/support/script.ts";
import { median, type Row } from "./table.ts";

const STORED = [1_000, 10_000] as const;
const OPEN = [100, 1_000] as const;
const RUNS = 7;

/**
 * Measures the cost of many sessions: start and list with many stored, memory with many open, and the growth with ten times as
 * many.
 */
export async function scale(): Promise<Row[]> {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ calls: [{ tool: "list_files", input: {} }] }, { text: "Done." }]) });
  await session.runTurn("go");
  const stored = [];
  for (const count of STORED) {
    await daemon.kill();
    await copies(path.join(daemon.home, "baton.db"), session.id, count);
    stored.push({ count, ...(await startWith(daemon)) });
  }
  const [few, many] = stored;
  const opened = await memoryOf(daemon);
  return [
    ...stored.flatMap(({ count, starts, lists }): Row[] => [
      {
        what: `ready after kill -9, ${count.toLocaleString("en")} sessions stored`,
        unit: "ms",
        values: starts,
        ...(count === 1_000 ? { budget: "300 ms" } : { budget: "2,000 ms" }),
      },
      { what: `list of the newest 500, ${count.toLocaleString("en")} sessions stored`, unit: "ms", values: lists },
    ]),
    { what: "growth of the start, 1,000 to 10,000 stored", unit: "x", values: [median(many?.starts ?? []) / median(few?.starts ?? [])] },
    ...opened,
  ];
}

async function startWith(daemon: TestDaemon): Promise<{ starts: number[]; lists: number[] }> {
  const starts: number[] = [];
  const lists: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    if (run > 0) await daemon.kill();
    const began = performance.now();
    await daemon.start();
    await fetch(`http://127.0.0.1:${daemon.discovery.port}/healthz`);
    starts.push(performance.now() - began);
    const { api } = daemon.connect();
    await api.daemon.status.query();
    const asked = performance.now();
    await api.session.list.query({});
    lists.push(performance.now() - asked);
  }
  return { starts, lists };
}

/** Memory with so many sessions open, in MiB. A client opened each one, and the daemon holds it. */
async function memoryOf(daemon: TestDaemon): Promise<Row[]> {
  const { api } = daemon.connect();
  const memory: number[] = [];
  let opened = 0;
  for (const count of OPEN) {
    for (; opened < count; opened++) await api.session.open.query({ sessionId: `copy${opened + 1}` });
    memory.push((await api.daemon.status.query()).memory / 1024 / 1024);
  }
  const [few = 0, many = 0] = memory;
  return [
    { what: `memory with ${OPEN[1].toLocaleString("en")} sessions open`, unit: "MiB", values: [many], budget: "300 MiB" },
    {
      what: `each open session more (${OPEN[0]} to ${OPEN[1].toLocaleString("en")})`,
      unit: "KiB",
      values: [((many - few) * 1024) / (OPEN[1] - OPEN[0])],
    },
  ];
}

/** Ensures that the store has so many copies of a session. */
async function copies(file: string, id: string, count: number): Promise<void> {
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  await client.execute("PRAGMA busy_timeout = 10000"); // the daemon may still recover the store after a kill
  const there = Number((await client.execute("SELECT count(*) AS n FROM session WHERE id LIKE 'copy%'")).rows[0]?.["n"]);
  const from = "WITH RECURSIVE n(i) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
  const columns = "parent_id, workspace, title, mode, model, status, due, steps, cost, open_requests, archived, seq, created_at";
  await client.batch(
    [
      {
        sql: `${from} INSERT INTO event (stream_id, seq, at, type, data) SELECT 'copy' || i, seq, at, type, data FROM n, event WHERE stream_id = ?`,
        args: [there + 1, count, id],
      },
      {
        sql: `${from} INSERT INTO session (id, ${columns}, updated_at) SELECT 'copy' || i, ${columns}, updated_at + i FROM n, session WHERE id = ?`,
        args: [there + 1, count, id],
      },
    ],
    "write",
  );
  client.close();
}
