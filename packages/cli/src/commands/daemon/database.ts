import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { findDaemon, findOrStart, batonPaths, storeProgram } from "@baton/daemon/client";
import type { StoreBackup, StoreCheck, StoreCompacted, StoreRebuilt, StoreRestored } from "@baton/core/protocol/connection/store-report";
import { formatAge, formatCount, formatNumber } from "@baton/core/text/format";
import { isRecord, parseJson } from "@baton/core/text/json";
import { endDaemon } from "./daemon.ts";
import { toCommandExit } from "../../connection/daemon-connection.ts";
import { printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";

type Options = { json?: boolean };
/** `store-cli` adds the backups to a check. */
type Check = StoreCheck & { backups: StoreBackup[] };

/** Checks the whole store, even while the daemon runs. Exits with 1 if it finds a problem. */
export async function checkDatabase({ json = false }: Options): Promise<void> {
  const found = (await runStoreProgram("check")) as Check;
  if (json) printJson(found);
  else printLines(checkLines(found));
  if (!found.ok) throw new CommandExit("", EXIT_CODES.failed);
}

/** Copies the store, even while the daemon runs: to `file`, or to the folder of daily backups. */
export async function backUpDatabase(file: string | undefined, { json = false }: Options): Promise<void> {
  const made = (await runStoreProgram("backup", ...(file === undefined ? [] : [file]))) as Omit<StoreBackup, "at">;
  if (json) printJson(made);
  else printLines([`Copied the store to ${made.file} (${megabytes(made.bytes)}).`]);
}

/** Copies the store to a file and returns its path. */
export const copyStore = async (file: string): Promise<string> => ((await runStoreProgram("backup", file)) as StoreBackup).file;

/** Replaces the store with a backup while no daemon runs. Returns the file that keeps the previous store, null if there was none. */
export const restoreStore = async (file: string): Promise<string | null> =>
  ((await runStoreProgram("restore", file)) as StoreRestored).kept;

/** Replaces the store with a backup, by default the newest one. Stops the daemon meanwhile. */
export async function restoreDatabase(file: string | undefined, { json = false }: Options): Promise<void> {
  if (file !== undefined && !existsSync(file)) throw usageError(`There is no file ${file}. Name a backup of the store.`);
  const done = (await withoutDaemon("restore", ...(file === undefined ? [] : [file]))) as StoreRestored;
  const { restored, sessions, kept: keptFile, sessionsBefore } = done;
  if (json) return printJson(done);
  printLines([
    `Restored ${restored}, with ${formatCount(sessions, "session")}.`,
    ...(keptFile === null
      ? []
      : [`The previous store, with ${formatCount(sessionsBefore, "session")}, is kept: \`baton db restore ${keptFile}\` brings it back.`]),
  ]);
}

/** Reclaims the disk space of deleted data. Stops the daemon meanwhile. */
export async function compactDatabase({ json = false }: Options): Promise<void> {
  const done = (await withoutDaemon("compact")) as StoreCompacted;
  if (json) return printJson(done);
  const { orphans, orphanBytes } = done.blobs;
  printLines([
    `Compacted the store from ${megabytes(done.before)} to ${megabytes(done.after)}.`,
    ...(orphans === 0 ? [] : [`Removed ${formatCount(orphans, "blob")} of deleted sessions (${megabytes(orphanBytes)}).`]),
  ]);
}

/** Rebuilds the rows of lists, usage and snapshots from the events. Stops the daemon meanwhile. */
export async function rebuildDatabase({ json = false }: Options): Promise<void> {
  const done = (await withoutDaemon("rebuild")) as StoreRebuilt;
  if (json) return printJson(done);
  printLines([
    `Rebuilt ${formatCount(done.sessions, "session")} from ${formatCount(done.events, "event")}.`,
    ...done.left.map(({ id, why }) => `Skipped ${id}: this version does not understand it (${why}).`),
  ]);
}

function checkLines({ file, ok, problems, bytes, events, sessions, kinds, blobs, engine, searchIndex, backups }: Check): string[] {
  const [newest] = backups;
  return [
    `${ok ? "✓" : "✗"} ${file}: ${megabytes(bytes)}, ${sessions} sessions, ${events} events`,
    ...kinds.map(
      ({ kind, rows, bytes: size, orphans }) => `  ${formatCount(rows, "row")} of ${kind}, ${megabytes(size)}${orphanText(orphans)}`,
    ),
    `  ${formatCount(blobs.blobs, "blob")}, ${megabytes(blobs.bytes)}${orphanText(blobs.orphans)}`,
    ...problems.map((problem) => `  ✗ ${problem}`),
    ...(searchIndex === "sound" ? [] : [`  the search index is ${searchIndex}; the daemon builds it again`]),
    newest
      ? `  ${formatCount(backups.length, "backup")}, the newest ${formatAge(Date.now() - newest.at)} old: ${newest.file}`
      : "  no backup yet; `baton db backup` creates one",
    ...(engine.caution === null ? [] : [`  SQLite ${engine.sqlite} ${engine.caution}`]),
    ...(ok ? [] : ["  `baton db restore` restores the newest backup and keeps this store"]),
  ];
}

/** Counts rows or blobs that belong to no session. */
const orphanText = (orphans: number): string =>
  orphans === 0 ? "" : `; ${formatNumber(orphans)} belong to no session: \`baton db compact\` removes them`;

const ATTEMPTS = 10;
const WAIT_MS = 200;

/**
 * Runs `store-cli` while no daemon runs, and starts the daemon again if there was one. A client that is attached starts it as well, perhaps before
 * the program has the store. Then both are tried again.
 */
async function withoutDaemon(...args: string[]): Promise<unknown> {
  const paths = batonPaths(process.env);
  let wasRunning = false;
  try {
    for (let attempt = 1; ; attempt++) {
      const running = await findDaemon(paths.discovery);
      wasRunning ||= running !== undefined;
      if (running) await endDaemon(running, paths.discovery);
      try {
        return await runStoreProgram(...args);
      } catch (error) {
        if (attempt === ATTEMPTS || !isStoreOpen(error)) throw error;
        await setTimeout(WAIT_MS);
      }
    }
  } finally {
    if (wasRunning) await findOrStart(paths, process.env).catch(toCommandExit);
  }
}

/** True if `store-cli` reports that a daemon has the store. */
const isStoreOpen = (error: unknown): boolean => error instanceof CommandExit && error.message.startsWith("The daemon has the store open");

/** Runs `store-cli`, which needs no daemon, and returns its output. */
function runStoreProgram(...args: string[]): Promise<unknown> {
  return new Promise((done, fail) => {
    execFile(process.execPath, [storeProgram(), ...args], (error, stdout) => {
      const output = parseJson(stdout);
      if (!isRecord(output)) fail(new CommandExit(`The store could not be read: ${error?.message ?? "no output"}`, EXIT_CODES.failed));
      else if ("problem" in output) fail(new CommandExit(String(output.problem), EXIT_CODES.failed));
      else done(output);
    });
  });
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
