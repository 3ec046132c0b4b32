import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type {
  StoreBackup,
  StoreBlobs,
  StoreCheck,
  StoreCompacted,
  StoreRestored,
  StoreRows,
} from "@baton/core/protocol/connection/store-report";
import type Driver from "libsql";
import { sweepBlobs } from "../system/files/blob-sweep.ts";
import { findHashes } from "./blob-references.ts";
import { openSqlite, sqliteVersion } from "./database/sqlite-version.ts";
import { SESSIONLESS_STREAM } from "@baton/core/protocol/ids";
import { deleteOldReceipts } from "./event-log.ts";
import { mayBeIndexFault, OPTIMIZE_SEARCH_INDEX, SEARCH_TABLE } from "./search/search-index.ts";

type CheckOptions = {
  quick?: boolean;
  /** The folder of the blobs. */
  blobs?: string;
};

const MAX_PROBLEMS = 20;

/** Checks the whole store. `quick` skips the slowest part, the comparison of indexes and tables. */
export function checkStore(file: string, { quick = false, blobs }: CheckOptions = {}): StoreCheck {
  const noResult: StoreCheck = {
    file,
    ok: false,
    problems: [],
    searchIndex: "missing",
    bytes: 0,
    events: 0,
    sessions: 0,
    kinds: [],
    blobs: NO_BLOBS,
    engine: sqliteVersion(),
  };
  if (!existsSync(file)) return { ...noResult, problems: [`The file ${file} does not exist.`] };
  const bytes = statSync(file).size;
  try {
    using opened = openSqlite(file);
    const { driver } = opened;
    const rows = driver.prepare(`PRAGMA ${quick ? "quick_check" : "integrity_check"}(${MAX_PROBLEMS})`).all() as Record<string, string>[];
    const results = rows.flatMap((row) => Object.values(row)).filter((result) => result !== "ok");
    const problems = results.filter((result) => !IN_SEARCH_INDEX.test(result));
    const searchIndex = searchIndexStatus(driver, results.length > problems.length);
    const count = (table: string) => Number((driver.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n);
    const counts = { bytes, events: count("event"), sessions: count("session") };
    const kinds = quick ? [] : KINDS.map((kind) => sizeOfKind(kind, driver));
    const beside = quick || blobs === undefined ? NO_BLOBS : sweptBlobs(driver, blobs, { remove: false });
    return { ...noResult, ...counts, ok: problems.length === 0, problems, searchIndex, kinds, blobs: beside };
  } catch (error) {
    return { ...noResult, bytes, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

const IN_SEARCH_INDEX = new RegExp(`FTS5 table (main\\.)?${SEARCH_TABLE}\\b`);

function searchIndexStatus(driver: Driver.Database, hasProblem: boolean): StoreCheck["searchIndex"] {
  if (hasProblem) return "broken";
  return driver.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get([SEARCH_TABLE]) ? "sound" : "missing";
}

const NO_BLOBS: StoreBlobs = { blobs: 0, bytes: 0, orphans: 0, orphanBytes: 0 };

/** Each table with its text column and the column of the session's id. */
const KINDS = [
  { kind: "events", table: "event", text: "data", owner: undefined },
  { kind: "receipts", table: "receipt", text: "answer", owner: "stream_id" },
  { kind: "snapshots", table: "snapshot", text: "state", owner: "stream_id" },
  { kind: "sessions", table: "session", text: "title", owner: "id" },
  { kind: "requests", table: "request", text: "data", owner: "session_id" },
] as const;

function sizeOfKind({ kind, table, text, owner }: (typeof KINDS)[number], driver: Driver.Database): StoreRows {
  const one = (sql: string) => driver.prepare(sql).get() as Record<string, number>; // the columns named below
  const { n = 0, bytes = 0 } = one(`SELECT count(*) AS n, coalesce(sum(length(CAST(${text} AS BLOB))), 0) AS bytes FROM ${table}`);
  const hasNoOwner = `${owner} NOT IN (SELECT stream_id FROM event) AND ${owner} <> '${SESSIONLESS_STREAM}'`;
  const orphans = owner === undefined ? 0 : (one(`SELECT count(*) AS n FROM ${table} WHERE ${hasNoOwner}`)["n"] ?? 0);
  return { kind, rows: n, bytes, orphans };
}

/** Counts or removes unreferenced blobs. No daemon may write the store while `remove` is set. */
function sweptBlobs(driver: Driver.Database, folder: string, { remove }: { remove: boolean }): StoreBlobs {
  const referenced = new Set<string>();
  for (const row of driver.prepare("SELECT data FROM event").iterate([]))
    for (const hash of findHashes(String((row as { data: unknown }).data))) referenced.add(hash);
  const startedAt = remove ? Number.POSITIVE_INFINITY : 0;
  return sweepBlobs(folder, { isNeeded: (hash) => referenced.has(hash), startedAt, remove });
}

/** Writes a compact copy. The copy gets its name only when it is complete. */
export function backUp(file: string, into: string): Omit<StoreBackup, "at"> {
  mkdirSync(path.dirname(into), { recursive: true, mode: 0o700 });
  const half = `${into}.part`;
  rmSync(half, { force: true });
  {
    using opened = openSqlite(file, { writes: true }); // the copy: the store itself is only read
    opened.driver.prepare("VACUUM INTO ?").run(half);
  }
  renameSync(half, into);
  return { file: into, bytes: statSync(into).size };
}

/**
 * Frees the space of deleted rows and blobs. No other program may use the store meanwhile. A kill leaves a valid store; the next run
 * removes the rest.
 */
export function compactStore(file: string, blobs: string): StoreCompacted {
  const before = sizeOf(file);
  using opened = openSqlite(file, { writes: true });
  const { driver } = opened;
  const { sql, args } = deleteOldReceipts(Date.now());
  driver.prepare(sql).run(args);
  if (searchIndexStatus(driver, false) === "sound") compactSearchIndex(driver);
  const removed = sweptBlobs(driver, blobs, { remove: true });
  driver.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  return { before, after: sizeOf(file), blobs: removed };
}

/** Removes the words of deleted sessions. Leaves a broken index as it is, because the daemon builds it again. */
function compactSearchIndex(driver: Driver.Database): void {
  try {
    driver.exec(OPTIMIZE_SEARCH_INDEX);
    driver.exec("DELETE FROM search_session WHERE session_id IS NULL");
  } catch (error) {
    if (!mayBeIndexFault(error)) throw error;
  }
}

/** Replaces the store by a valid backup. The previous store is renamed to `kept`. */
export function replaceStoreByBackup(file: string, from: string): StoreRestored {
  const { ok, problems, sessions } = checkStore(from);
  const { sessions: sessionsBefore } = checkStore(file, { quick: true });
  if (!ok) throw new Error(`${from} cannot be restored: ${problems.join("; ")}`);
  const half = `${file}.part`;
  copyFileSync(from, half);
  const kept = existsSync(file) ? `${file}.before-restore-${stampOf(new Date())}` : null;
  if (kept !== null) for (const part of PARTS) if (existsSync(file + part)) renameSync(file + part, kept + part);
  renameSync(half, file);
  return { restored: from, sessions, kept, sessionsBefore };
}

/** The backups in a folder, newest first. */
export function backupsIn(folder: string): StoreBackup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => {
      const file = path.join(folder, name);
      const { mtimeMs, size } = statSync(file);
      return { file, at: mtimeMs, bytes: size };
    })
    .sort((a, b) => b.at - a.at);
}

/** The name of a daily backup. Baton removes old daily backups only. */
export const backupName = (now: Date): string => `baton-${stampOf(now)}.db`;
export const isDailyBackup = (file: string): boolean => path.basename(file).startsWith("baton-");

const stampOf = (now: Date): string => now.toISOString().replaceAll(/[:.]/g, "-");

/** The files of a store in use. */
const PARTS = ["", "-wal", "-shm"];

const sizeOf = (file: string): number =>
  PARTS.reduce((sum, part) => sum + (statSync(file + part, { throwIfNoEntry: false })?.size ?? 0), 0);
