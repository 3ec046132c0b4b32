import { execFile } from "node:child_process";
import { findDaemon, findOrStart, batonPaths, storeProgram } from "@baton/daemon/client";
import type { StoreBackup, StoreCheck, StoreCompacted, StoreRebuilt, StoreRestored } from "@baton/core/protocol/store-report";
import { formatAge, formatCount, countNoun } from "@baton/core/text/format";
import { endDaemon } from "./daemon.ts";
import { toStop } from "../../connection/daemon-connection.ts";
import { printJson, printLines } from "../output.ts";
import { EXIT, Stop } from "../../connection/exit-codes.ts";

type Options = { json?: boolean };
/** The program adds the backups to a check. */
type Check = StoreCheck & { backups: StoreBackup[] };

/** Reads the whole store, also while the daemon runs; exit 1 when something is wrong with it. */
export async function checkDatabase({ json = false }: Options): Promise<void> {
  const found = (await inStore("check")) as Check;
  if (json) printJson(found);
  else printLines(textOf(found));
  if (!found.ok) throw new Stop("", EXIT.failed);
}

/** Copies the store, also while the daemon runs: into this file, or among the daily copies. */
export async function backUpDatabase(file: string | undefined, { json = false }: Options): Promise<void> {
  const made = (await inStore("backup", ...(file === undefined ? [] : [file]))) as Omit<StoreBackup, "at">;
  if (json) printJson(made);
  else printLines([`Copied the store to ${made.file} (${megabytes(made.bytes)}).`]);
}

/** Puts a copy in the place of the store, the newest one when none is named. The daemon is stopped for it, and started again if it ran. */
export async function restoreDatabase(file: string | undefined, { json = false }: Options): Promise<void> {
  const done = (await alone("restore", ...(file === undefined ? [] : [file]))) as StoreRestored;
  const { restored, sessions, kept, sessionsBefore } = done;
  if (json) return printJson(done);
  printLines([
    `The store is that of ${restored} now, with ${formatCount(sessions, "session")}.`,
    ...(kept === null
      ? []
      : [`What was there, with ${formatCount(sessionsBefore, "session")}, is kept: \`baton db restore ${kept}\` puts it back.`]),
  ]);
}

/** Gives back the room of what was removed. The daemon is stopped for it, and started again if it ran. */
export async function compactDatabase({ json = false }: Options): Promise<void> {
  const done = (await alone("compact")) as StoreCompacted;
  if (json) return printJson(done);
  const { orphans, orphanBytes } = done.blobs;
  printLines([
    `The store takes ${megabytes(done.after)} now; before it took ${megabytes(done.before)}.`,
    ...(orphans === 0 ? [] : [`Baton removed ${formatCount(orphans, "content")} of deleted sessions (${megabytes(orphanBytes)}).`]),
  ]);
}

/** Writes the rows of lists, usage and snapshots again, from the events. The daemon is stopped for it, and started again if it ran. */
export async function rebuildDatabase({ json = false }: Options): Promise<void> {
  const done = (await alone("rebuild")) as StoreRebuilt;
  if (json) return printJson(done);
  printLines([
    `Rebuilt ${formatCount(done.sessions, "session")} from ${formatCount(done.events, "event")}.`,
    ...done.left.map(({ id, why }) => `Left ${id} as it was: this version does not understand it (${why}).`),
  ]);
}

function textOf({ file, ok, problems, bytes, events, sessions, kinds, blobs, engine, backups }: Check): string[] {
  const [newest] = backups;
  return [
    `${ok ? "✓" : "✗"} ${file}: ${megabytes(bytes)}, ${sessions} sessions, ${events} events`,
    ...kinds.map(
      ({ kind, rows, bytes: size, orphans }) => `  ${formatCount(rows, "row")} of ${kind}, ${megabytes(size)}${orphanText(orphans)}`,
    ),
    `  ${formatCount(blobs.blobs, "content")} beside it, ${megabytes(blobs.bytes)}${orphanText(blobs.orphans)}`,
    ...problems.map((problem) => `  ✗ ${problem}`),
    newest
      ? `  ${backups.length} backup${backups.length === 1 ? "" : "s"}, the newest ${formatAge(Date.now() - newest.at)} old: ${newest.file}`
      : "  no backup yet; `baton db backup` makes one",
    ...(engine.caution === null ? [] : [`  its SQLite ${engine.sqlite} ${engine.caution}`]),
    ...(ok ? [] : ["  `baton db restore` puts back the newest backup, and keeps this store beside it"]),
  ];
}

/** Rows and contents that belong to no session any more. */
const orphanText = (orphans: number): string =>
  orphans === 0 ? "" : `; ${countNoun(orphans)} belong to no session: \`baton db compact\` removes them`;

async function alone(...args: string[]): Promise<unknown> {
  const places = batonPaths(process.env);
  const running = await findDaemon(places.discovery);
  if (running) await endDaemon(running, places.discovery);
  try {
    return await inStore(...args);
  } finally {
    if (running) await findOrStart(places, process.env).catch(toStop);
  }
}

/** What the program for the store says. It needs no daemon. */
function inStore(...args: string[]): Promise<unknown> {
  return new Promise((done, fail) => {
    execFile(process.execPath, [storeProgram(), ...args], (error, stdout) => {
      const said = parsed(stdout);
      if (said === undefined) fail(new Stop(`The store could not be looked at: ${error?.message ?? "nothing was said"}`, EXIT.failed));
      else if ("problem" in said) fail(new Stop(String(said.problem), EXIT.failed));
      else done(said);
    });
  });
}

function parsed(text: string): object | undefined {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === "object" && said !== null ? said : undefined;
  } catch {
    return undefined; // it died before it could say anything
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
