import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionEvent } from "@baton/core/protocol/event";
import { PromptId } from "@baton/core/protocol/ids";
import { openDatabase, type Database } from "../src/store/database/database.ts";
import { openEventLog } from "../src/store/event-log.ts";
import { indexedLog } from "../src/store/search/indexed-log.ts";
import { openSearchIndex } from "../src/store/search/search-index.ts";
import { openSessionSearch } from "../src/store/search/search-sessions.ts";
import type { Row } from "./table.ts";

const SESSIONS = 10_000;
const RUNS = 15;
const QUERIES = ["the", "session store", "rebuild", "permission denied file"];

/** Measures searches in many sessions whose prompts are parts of the documents, beside a scan of the log for the same word. */
export async function search(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-bench-"));
  const database = await openDatabase(path.join(folder, "baton.db"));
  try {
    const index = await openSearchIndex({ database, remote: false, report: () => undefined });
    await fill(database, indexedLog(openEventLog(database), index));
    const find = openSessionSearch(database, index);
    const searches = await timed(async (i) => find({ query: QUERIES[i % QUERIES.length] ?? "" }));
    const scans = await timed(async () => database.query("SELECT stream_id, seq FROM event WHERE data LIKE '%rebuild%' LIMIT 20000"));
    return [
      {
        what: `search in ${SESSIONS.toLocaleString("en")} sessions`,
        unit: "ms",
        values: searches,
        budget: "50 ms",
        reference: { what: "a scan of the log", values: scans },
      },
    ];
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

async function timed(work: (i: number) => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const began = performance.now();
    await work(i);
    values.push(performance.now() - began);
  }
  return values;
}

async function fill(database: Database, log: ReturnType<typeof openEventLog>): Promise<void> {
  await database.query("PRAGMA synchronous=OFF"); // the disk is not measured
  const docs = fileURLToPath(new URL("../../../docs", import.meta.url));
  const texts = readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(path.join(docs, name), "utf8"))
    .join("\n");
  for (let i = 0; i < SESSIONS; i++) {
    const id = `session${i}`;
    const from = (i * 7_919) % (texts.length - 1_500);
    const events: SessionEvent[] = [
      { type: "session.created", workspace: "/w", mode: "code", stepLimit: 50, by: { daemon: true } },
      {
        type: "prompt.received",
        promptId: PromptId.parse(`p${i}`),
        text: texts.slice(from, from + 1_500),
        delivery: "queue",
        mode: "code",
        by: { person: "cli" },
      },
    ];
    await log.append({ streamId: id, after: 0, events, at: i + 1, derived: [{ sql: SESSION_ROW, args: [id, i + 1, i + 1] }] });
  }
}

const SESSION_ROW = `INSERT INTO session (id, workspace, title, mode, status, due, steps, cost, open_requests, archived, seq, created_at, updated_at)
  VALUES (?, '/w', '', 'code', 'idle', 0, 0, 0, 0, 0, 2, ?, ?)`;
