import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  connectTo,
  daemonEnv,
  daemonProgram,
  findDaemon,
  findOrStart,
  findLockHolder,
  VersionMismatch,
  batonPaths,
  type Discovery,
  type BatonPaths,
  isProcessAlive,
} from "@baton/daemon/client";
import { formatAge, formatCount } from "@baton/core/text/format";
import { toCommandExit } from "../../connection/daemon-connection.ts";
import { isOtherBuild, BUILD_MISMATCH } from "../../program/version.ts";
import { printJson, printLines } from "../output.ts";
import { formatDiagnostic } from "../mode/format-diagnostic.ts";
import { EXIT_CODES, CommandExit } from "../../connection/exit-codes.ts";

type Options = { json?: boolean };

/** Starts the daemon if it is not running. */
export async function startDaemon({ json = false }: Options): Promise<void> {
  const paths = batonPaths(process.env);
  const before = await findDaemon(paths.discovery);
  const found = before ?? (await findOrStart(paths, process.env).catch(toCommandExit));
  printDaemon(found, json, before ? "The daemon is already running" : "The daemon is running");
}

/** Prints the state of the daemon. Exits with 5 if none is running. */
export async function printDaemonStatus({ json = false }: Options): Promise<void> {
  const paths = batonPaths(process.env);
  const found = await findDaemon(paths.discovery);
  const unresponsive = found ? undefined : findUnresponsiveDaemon(paths);
  if (unresponsive) {
    if (json) printJson({ running: true, answers: false, pid: unresponsive.pid });
    throw new CommandExit(unresponsive.message, EXIT_CODES.noDaemon);
  }
  if (!found) {
    if (json) printJson({ running: false });
    throw new CommandExit("The daemon is not running. `baton daemon start` or any client starts it.", EXIT_CODES.noDaemon);
  }
  const connection = connectTo(found, { client: "cli", discoveryFile: paths.discovery });
  try {
    const status = await connection.api.daemon.status.query();
    if (json) return printJson({ running: true, ...status });
    const { pid, port, version, startedAt, home, openSessions, memory, diagnostics } = status;
    printLines([
      `The daemon is running: version ${version}, pid ${pid}, port ${port}, up ${formatAge(Date.now() - startedAt)}`,
      ...(isOtherBuild(found) ? [`  ✗ ${BUILD_MISMATCH}`] : []),
      `  ${formatCount(openSessions, "open session")}, ${Math.round(memory / 1024 / 1024)} MB, home ${home}`,
      ...diagnostics.map((diagnostic) => `  ${diagnostic.severity === "error" ? "✗" : "–"} ${formatDiagnostic(diagnostic)}`),
    ]);
  } finally {
    await connection.close();
  }
}

/** Stops the daemon and waits until it has ended. Open requests are kept. */
export async function stopDaemon({ json = false, silent = false }: Options & { silent?: boolean }): Promise<void> {
  const paths = batonPaths(process.env);
  const found = await findDaemon(paths.discovery);
  const unresponsive = found ? undefined : findUnresponsiveDaemon(paths);
  if (found) await endDaemon(found, paths.discovery);
  if (unresponsive) await killDaemon(unresponsive);
  if (silent) return;
  if (json) printJson({ stopped: found !== undefined || unresponsive !== undefined });
  else printLines([found || unresponsive ? "Stopped the daemon. Open requests are kept." : "The daemon is not running."]);
}

/** Stops the daemon if it is running, and starts it again. This is how to upgrade it. */
export async function restartDaemon({ json = false }: Options): Promise<void> {
  const paths = batonPaths(process.env);
  const before = await findDaemon(paths.discovery);
  const unresponsive = before ? undefined : findUnresponsiveDaemon(paths);
  if (before) await endDaemon(before, paths.discovery);
  if (unresponsive) await killDaemon(unresponsive);
  printDaemon(await findOrStart(paths, process.env).catch(toCommandExit), json, "The daemon is running");
}

/** Runs the daemon in the foreground until it is interrupted. */
export async function runDaemon(): Promise<void> {
  const child = spawn(process.execPath, [daemonProgram()], { stdio: "inherit", env: { ...process.env, ...daemonEnv } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>((ended) => {
    child.on("error", () => ended(EXIT_CODES.noDaemon));
    child.on("exit", (code, signal) => ended(code ?? (signal === "SIGINT" ? EXIT_CODES.interrupted : EXIT_CODES.failed)));
  });
}

function printDaemon({ pid, port, version, startedAt, bootId, protocol }: Discovery, json: boolean, headline: string): void {
  if (json) printJson({ running: true, pid, port, version, protocol, bootId, startedAt });
  else printLines([`${headline}: version ${version}, pid ${pid}, port ${port}.`]);
}

/** A daemon that holds the lock but does not answer. `says` is a message for the user. */
type UnresponsiveDaemon = { pid: number; message: string };

/** Finds a daemon that holds the lock, after `findDaemon` has found none. */
export function findUnresponsiveDaemon({ lock, discovery }: Pick<BatonPaths, "lock" | "discovery">): UnresponsiveDaemon | undefined {
  const holder = findLockHolder(lock);
  if (!holder?.isDaemon) return undefined;
  const why = existsSync(discovery) ? "does not answer" : "cannot be reached because daemon.json is missing";
  return { pid: holder.pid, message: `A daemon is running (pid ${holder.pid}) but ${why}. \`baton daemon restart\` replaces it.` };
}

const SILENT_MS = 8_000;

/** Ends the daemon: SIGTERM first, then SIGKILL. Its log of events stays, and the next daemon continues from it. */
async function killDaemon({ pid }: UnresponsiveDaemon): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    process.kill(pid, signal);
    for (const until = performance.now() + SILENT_MS; isProcessAlive(pid) && performance.now() < until;)
      await new Promise((done) => setTimeout(done, POLL_MS));
    if (!isProcessAlive(pid)) return;
  }
  throw new CommandExit(`The daemon (pid ${pid}) does not end. Kill that process, then try again.`, EXIT_CODES.failed);
}

const DRAIN_MS = 30_000;
const POLL_MS = 20;

/** Asks the daemon to stop, or sends SIGTERM if it speaks another protocol. Waits until its process has ended. */
export async function endDaemon(found: Discovery, discoveryFile: string): Promise<void> {
  try {
    const connection = connectTo(found, { client: "cli", discoveryFile });
    await connection.api.daemon.stop.mutate().catch(() => undefined);
    void connection.close().catch(() => undefined);
  } catch (error) {
    if (!(error instanceof VersionMismatch)) throw error;
    process.kill(found.pid, "SIGTERM");
  }
  for (const until = performance.now() + DRAIN_MS; isProcessAlive(found.pid);) {
    if (performance.now() > until)
      throw new CommandExit(`The daemon (pid ${found.pid}) is still busy after 30 s. Try again, or kill that process.`, EXIT_CODES.failed);
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
