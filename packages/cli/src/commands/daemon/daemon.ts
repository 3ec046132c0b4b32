import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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
} from "@baton/daemon/client";
import { formatAge } from "@baton/core/text/format";
import { toStop } from "../../connection/daemon-connection.ts";
import { isOtherBuild, BUILD_MISMATCH } from "../../program/version.ts";
import { printJson, printLines } from "../output.ts";
import { formatDiagnostic } from "../mode/print-diagnostics.ts";
import { EXIT, Stop } from "../../connection/exit-codes.ts";

type Options = { json?: boolean };

/** Starts the daemon unless it runs. */
export async function startDaemon({ json = false }: Options): Promise<void> {
  const places = batonPaths(process.env);
  const before = await findDaemon(places.discovery);
  const found = before ?? (await findOrStart(places, process.env).catch(toStop));
  tell(found, json, before ? "The daemon runs already" : "The daemon runs");
}

/** Says how the daemon stands; exit 5 when there is none. */
export async function daemonStatus({ json = false }: Options): Promise<void> {
  const places = batonPaths(process.env);
  const found = await findDaemon(places.discovery);
  const silent = found ? undefined : silentDaemon(places);
  if (silent) {
    if (json) printJson({ running: true, answers: false, pid: silent.pid });
    throw new Stop(silent.says, EXIT.noDaemon);
  }
  if (!found) {
    if (json) printJson({ running: false });
    throw new Stop("No daemon runs. Any client starts it, or `baton daemon start`.", EXIT.noDaemon);
  }
  const connection = connectTo(found, { client: "cli", discoveryFile: places.discovery });
  try {
    const status = await connection.api.daemon.status.query();
    if (json) return printJson({ running: true, ...status });
    const { pid, port, version, startedAt, home, openSessions, memory, diagnostics } = status;
    printLines([
      `The daemon runs: version ${version}, pid ${pid}, port ${port}, for ${formatAge(Date.now() - startedAt)}`,
      ...(isOtherBuild(found) ? [`  ✗ ${BUILD_MISMATCH}`] : []),
      `  ${openSessions} open session${openSessions === 1 ? "" : "s"}, ${Math.round(memory / 1024 / 1024)} MB, home ${home}`,
      ...diagnostics.map((fault) => `  ${fault.severity === "error" ? "✗" : "–"} ${formatDiagnostic(fault)}`),
    ]);
  } finally {
    await connection.close();
  }
}

/** Lets the daemon drain and end, and waits until it has. Open requests are kept. */
export async function stopDaemon({ json = false, quiet = false }: Options & { quiet?: boolean }): Promise<void> {
  const places = batonPaths(process.env);
  const found = await findDaemon(places.discovery);
  const silent = found ? undefined : silentDaemon(places);
  if (found) await endDaemon(found, places.discovery);
  if (silent) await endSilent(silent);
  if (quiet) return;
  if (json) printJson({ stopped: found !== undefined || silent !== undefined });
  else printLines([found || silent ? "The daemon has stopped. Open requests are kept." : "No daemon runs."]);
}

/** Ends the daemon, if there is one, and starts it again: the way from one version to another. */
export async function restartDaemon({ json = false }: Options): Promise<void> {
  const places = batonPaths(process.env);
  const before = await findDaemon(places.discovery);
  const silent = before ? undefined : silentDaemon(places);
  if (before) await endDaemon(before, places.discovery);
  if (silent) await endSilent(silent);
  tell(await findOrStart(places, process.env).catch(toStop), json, "The daemon runs");
}

/** Runs the daemon in the foreground, until it is interrupted. */
export async function runDaemon(): Promise<void> {
  const child = spawn(process.execPath, [daemonProgram()], { stdio: "inherit", env: { ...process.env, ...daemonEnv } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>((ended) => {
    child.on("error", () => ended(EXIT.noDaemon));
    child.on("exit", (code, signal) => ended(code ?? (signal === "SIGINT" ? EXIT.interrupted : EXIT.failed)));
  });
}

function tell({ pid, port, version, startedAt, bootId, protocol }: Discovery, json: boolean, said: string): void {
  if (json) printJson({ running: true, pid, port, version, protocol, bootId, startedAt });
  else printLines([`${said}: version ${version}, pid ${pid}, port ${port}.`]);
}

/** A daemon that holds the lock and does not answer; `says` is for people. */
export type Silent = { pid: number; says: string };

/** Looks for it when no daemon was found. */
export function silentDaemon({ lock, discovery }: Pick<BatonPaths, "lock" | "discovery">): Silent | undefined {
  const holder = findLockHolder(lock);
  if (!holder?.isDaemon) return undefined;
  const why = existsSync(discovery) ? "does not answer" : "cannot be reached, as daemon.json is gone";
  return { pid: holder.pid, says: `A daemon runs (pid ${holder.pid}) but ${why}. \`baton daemon restart\` ends it and starts it again.` };
}

const SILENT_MS = 8_000;

/** Ends it by signal: first so that it can tidy up, then at once. What it wrote down stays, and the next one carries on from there. */
async function endSilent({ pid }: Silent): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    process.kill(pid, signal);
    for (const until = performance.now() + SILENT_MS; lives(pid) && performance.now() < until;)
      await new Promise((look) => setTimeout(look, LOOK_MS));
    if (!lives(pid)) return;
  }
  throw new Stop(`The daemon (pid ${pid}) does not end. End that process, then try again.`, EXIT.failed);
}

const DRAIN_MS = 30_000;
const LOOK_MS = 20;

/** Asks it to stop, or signals it when it speaks another protocol; then waits for its process to be gone. */
export async function endDaemon(found: Discovery, discoveryFile: string): Promise<void> {
  try {
    const connection = connectTo(found, { client: "cli", discoveryFile });
    await connection.api.daemon.stop.mutate().catch(() => undefined);
    void connection.close().catch(() => undefined);
  } catch (error) {
    if (!(error instanceof VersionMismatch)) throw error;
    process.kill(found.pid, "SIGTERM");
  }
  for (const until = performance.now() + DRAIN_MS; lives(found.pid);) {
    if (performance.now() > until)
      throw new Stop(`The daemon (pid ${found.pid}) is still busy after 30 s. Try again, or end that process.`, EXIT.failed);
    await new Promise((look) => setTimeout(look, LOOK_MS));
  }
}

/** Whether the process still runs. One that has ended but that nobody has buried yet does not. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false; // it is gone, between two looks perhaps
  }
}
