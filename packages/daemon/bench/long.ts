import { createClient } from "@libsql/client/sqlite3";
import path from "node:path";
import { reduceSession } from "@baton/core/session/reduce";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { TestDaemon } from "../test/support/daemon.ts";
import { script } from "../test/support/script.ts";
import type { Row } from "./table.ts";

/** Measures opening a session of this many events, from the call to a fresh daemon to the folded newest part. */
export async function opening(events: number, budget: string): Promise<Row> {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({
    model: script(daemon, [{ text: "Some text of an answer. ".repeat(8), calls: [{ tool: "list_files", input: {} }] }, { text: "Done." }]),
  });
  await session.runTurn("go");
  await daemon.kill();
  await lengthen(path.join(daemon.home, "baton.db"), session.id, events);
  await daemon.start(); // a few real turns, one of which leaves a snapshot
  const { turns } = (await daemon.connect().api.session.open.query({ sessionId: session.id })).state;
  for (let turn = 1; turn <= 50; turn++) {
    await session.prompt("go on");
    await session.untilEnd(turns + turn);
  }
  await daemon.kill();
  const values: number[] = [];
  for (let i = 0; i < 5; i++) {
    await daemon.start();
    const { api } = daemon.connect();
    await api.daemon.status.query();
    const began = performance.now();
    const opened = await api.session.open.query({ sessionId: session.id });
    transcriptOf(opened.events);
    opened.events.reduce(reduceSession, opened.state);
    values.push(performance.now() - began);
    await daemon.kill();
  }
  return { what: `open a session of ${events.toLocaleString("en")} events`, unit: "ms", values, budget };
}

/** Repeats a turn of the log until there are enough events, with increasing step and call numbers. */
async function lengthen(file: string, id: string, events: number): Promise<void> {
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  const rows = (await client.execute({ sql: "SELECT at, type, data FROM event WHERE stream_id = ? AND seq > 1 ORDER BY seq", args: [id] }))
    .rows;
  const turn = rows.map((row) => ({ at: Number(row["at"]), type: String(row["type"]), data: String(row["data"]) }));
  const steps = turn.filter(({ type }) => type === "model.started").length;
  for (let seq = turn.length + 2, round = 1; seq <= events; round++) {
    const statements = [];
    for (let i = 0; i < 200 && seq <= events; i++, round++) {
      for (const { at, type, data } of turn) {
        const moved = data
          .replace(/"step":(\d+)/g, (_, n: string) => `"step":${Number(n) + round * steps}`)
          .replace(/"s(\d+).(\d+)"/g, (_, n: string, call: string) => `"s${Number(n) + round * steps}.${call}"`)
          .replace(/"(promptIds?)":(\[?)"/g, `"$1":$2"${round}-`);
        statements.push({
          sql: "INSERT INTO event (stream_id, seq, at, type, data) VALUES (?,?,?,?,?)",
          args: [id, seq++, at, type, moved],
        });
      }
    }
    await client.batch(statements, "write");
  }
  await client.execute({ sql: "UPDATE session SET seq = (SELECT max(seq) FROM event WHERE stream_id = ?) WHERE id = ?", args: [id, id] });
  client.close();
}

/** The cost of the store on this disk: one row, one synced commit. */
export async function rawInsert(folder: string): Promise<number[]> {
  const client = createClient({ url: `file:${path.join(folder, "raw.db")}`, concurrency: 1 });
  await client.execute("PRAGMA journal_mode=WAL");
  await client.execute("PRAGMA synchronous=FULL");
  await client.execute("CREATE TABLE raw (id INTEGER PRIMARY KEY, data TEXT)");
  const values: number[] = [];
  for (let i = 0; i < 200; i++) {
    const began = performance.now();
    await client.execute({ sql: "INSERT INTO raw (data) VALUES (?)", args: ["x".repeat(230)] });
    values.push(performance.now() - began);
  }
  client.close();
  return values;
}
