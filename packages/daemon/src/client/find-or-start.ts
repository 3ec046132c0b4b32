import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findDaemon, type Discovery } from "./discovery.ts";
import { findLockHolder } from "./lock-holder.ts";
import { makeFolder } from "./make-folder.ts";
import type { BatonPaths } from "./paths.ts";

/** The daemon could not be found, and not be started either. The message says why and what to do. */
export class DaemonUnavailable extends Error {}

/** The daemon's program: the bundle beside this package's client. */
export const daemonProgram = (): string => fileURLToPath(import.meta.resolve("@baton/daemon/main"));

/** The program that looks after the store, with or without a daemon. */
export const storeProgram = (): string => fileURLToPath(import.meta.resolve("@baton/daemon/store"));

/** Finds the daemon of these places or starts it; it goes on when this process ends. Throws `NoDaemon`. */
export async function findOrStart(places: BatonPaths, env: NodeJS.ProcessEnv, program = daemonProgram()): Promise<Discovery> {
  return (await findDaemon(places.discovery)) ?? (await start(places, env, program));
}

/** One place for all threads to take memory from: only one of them takes much, and each of the others would hold on to some. */
export const daemonEnv = { MALLOC_ARENA_MAX: "1" };

const ANOTHER_RUNS = 5;

async function start(places: BatonPaths, env: NodeJS.ProcessEnv, program: string): Promise<Discovery> {
  const log = openLog(places);
  const child = spawn(process.execPath, [program], {
    detached: true,
    stdio: ["ignore", "pipe", log],
    env: { ...env, ...daemonEnv },
    cwd: "/",
  });
  closeSync(log);
  const { stdout } = child;
  const ended = await new Promise<{ code?: number | null; why?: string }>((settle) => {
    child.once("error", (error) => settle({ why: error.message }));
    child.once("close", (code) => settle({ code })); // after all that it said
    stdout?.once("data", (said: Buffer) => settle(whyNot(said)));
  });
  stdout?.destroy();
  child.unref();
  const found = await findDaemon(places.discovery);
  if (found) return found;
  if (ended.code === ANOTHER_RUNS) return waitForOther(places);
  const why = ended.why ?? (ended.code === undefined ? "it has gone again" : `exit ${ended.code}`);
  throw new DaemonUnavailable(`The daemon could not be started: ${why}\nIts log is ${places.logFile}.`);
}

/** The file that the daemon's output goes to. */
function openLog({ log, logFile }: BatonPaths): number {
  try {
    makeFolder(log);
    return openSync(logFile, "a", 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DaemonUnavailable(`Nothing can be written at ${log} (${why}). Make it yours, or set BATON_HOME to a folder that is.`, {
      cause: error,
    });
  }
}

/** What the first line of a daemon says: nothing when it is ready, else why it is not. */
function whyNot(said: Buffer): { why?: string } {
  try {
    const line: unknown = JSON.parse(said.toString("utf8"));
    return typeof line === "object" && line !== null && "why" in line ? { why: String(line.why) } : {};
  } catch {
    return {}; // a daemon of another version says it in another way
  }
}

const OTHER_READY_MS = 5_000;
const LOOK_MS = 20;

/** Another process holds the lock and is about to say where it listens. */
async function waitForOther(places: BatonPaths): Promise<Discovery> {
  for (const until = performance.now() + OTHER_READY_MS; performance.now() < until;) {
    const found = await findDaemon(places.discovery);
    if (found) return found;
    await new Promise((look) => setTimeout(look, LOOK_MS));
  }
  const holder = findLockHolder(places.lock);
  if (holder?.isDaemon === false)
    throw new DaemonUnavailable(`Process ${holder.pid} works on Baton's store (${places.lock}). Wait until it has ended, then try again.`);
  const who = holder === undefined ? "A daemon" : `The daemon (pid ${holder.pid})`;
  throw new DaemonUnavailable(
    `${who} runs but does not answer. \`baton daemon restart\` ends it and starts it again; nothing that it wrote down is lost.`,
  );
}
