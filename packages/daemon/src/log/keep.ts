import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { openDriver } from "./driver.ts";
import { engineOf, type Engine } from "./engine.ts";

/** What a look at a store found: `problems` is empty when all is well. Sizes are bytes. */
export type Check = { file: string; ok: boolean; problems: string[]; bytes: number; events: number; sessions: number; engine: Engine };

const MOST_PROBLEMS = 20;

/** Reads the whole store and says what is wrong with it. `quick` leaves out what takes longest: whether indexes fit their tables. */
export function checkStore(file: string, { quick = false } = {}): Check {
  const engine = engineOf();
  if (!existsSync(file)) return { file, ok: false, problems: [`There is no ${file}.`], bytes: 0, events: 0, sessions: 0, engine };
  const bytes = statSync(file).size;
  try {
    using opened = openDriver(file);
    const { driver } = opened;
    const rows = driver.prepare(`PRAGMA ${quick ? "quick_check" : "integrity_check"}(${MOST_PROBLEMS})`).all() as Record<string, string>[];
    const problems = rows.flatMap((row) => Object.values(row)).filter((said) => said !== "ok");
    const count = (table: string) => Number((driver.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n);
    return { file, ok: problems.length === 0, problems, bytes, events: count("event"), sessions: count("session"), engine };
  } catch (error) {
    return { file, ok: false, problems: [error instanceof Error ? error.message : String(error)], bytes, events: 0, sessions: 0, engine };
  }
}

/** Writes a whole, tidy copy. It has its name only once it is complete, so half a copy is never taken for one. */
export function backUp(file: string, into: string): { file: string; bytes: number } {
  mkdirSync(path.dirname(into), { recursive: true, mode: 0o700 });
  const half = `${into}.part`;
  rmSync(half, { force: true });
  {
    using opened = openDriver(file, { writes: true }); // the copy: the store itself is only read
    opened.driver.prepare("VACUUM INTO ?").run(half);
  }
  renameSync(half, into);
  return { file: into, bytes: statSync(into).size };
}

/** Gives back the room of what was removed. Nobody else may have the store open. */
export function compact(file: string): { before: number; after: number } {
  const before = sizeOf(file);
  {
    using opened = openDriver(file, { writes: true });
    opened.driver.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  return { before, after: sizeOf(file) };
}

/** What was put in the place of the store, and what became of the one before, with how many sessions each has (0 also where that cannot be read). */
export type Restored = { restored: string; sessions: number; kept: string | null; sessionsBefore: number };

/** Puts a sound copy in the place of the store. The store that was there is kept beside it, under the name that is given back. */
export function restore(file: string, from: string): Restored {
  const { ok, problems, sessions } = checkStore(from);
  const { sessions: sessionsBefore } = checkStore(file, { quick: true });
  if (!ok) throw new Error(`${from} cannot be put back: ${problems.join("; ")}`);
  const half = `${file}.part`;
  copyFileSync(from, half);
  const kept = existsSync(file) ? `${file}.before-restore-${stampOf(new Date())}` : null;
  if (kept !== null) for (const part of PARTS) if (existsSync(file + part)) renameSync(file + part, kept + part);
  renameSync(half, file);
  return { restored: from, sessions, kept, sessionsBefore };
}

/** Copies of the store in a folder, newest first. */
export function backupsIn(folder: string): { file: string; at: number; bytes: number }[] {
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

/** How a daily copy is called; others have other names, and are never removed by themselves. */
export const backupName = (now: Date): string => `baton-${stampOf(now)}.db`;
export const isDaily = (file: string): boolean => path.basename(file).startsWith("baton-");

const stampOf = (now: Date): string => now.toISOString().replaceAll(/[:.]/g, "-");

/** A store in use is three files. */
const PARTS = ["", "-wal", "-shm"];

const sizeOf = (file: string): number =>
  PARTS.reduce((sum, part) => sum + (statSync(file + part, { throwIfNoEntry: false })?.size ?? 0), 0);
