import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRecord, parseJson } from "@baton/core/text/json";
import { findDaemon, type Discovery } from "./discovery.ts";
import { findLockHolder } from "./lock-holder.ts";
import { makePrivateFolder } from "./make-private-folder.ts";
import { rotateLog } from "./rotate-log.ts";
import type { BatonPaths } from "./paths.ts";

/** The daemon is not running and could not be started. The message says why and what to do. */
export class DaemonUnavailable extends Error {}

/** The daemon's program. */
export const daemonProgram = (): string => findProgram("main");

/** The program that checks and repairs the store, with or without a daemon. */
export const storeProgram = (): string => findProgram("store");

/** A program of the daemon's bundle: in the folder `daemon` beside the client's in a release and in a checkout, otherwise in the package. */
function findProgram(name: "main" | "store"): string {
  const beside = fileURLToPath(new URL(`../../daemon/dist/${name}.js`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(import.meta.resolve(`@baton/daemon/${name}`));
}

/** Finds the daemon of these paths or starts it. The daemon outlives this process. Throws `DaemonUnavailable`. */
export async function findOrStart(paths: BatonPaths, env: NodeJS.ProcessEnv, program = daemonProgram()): Promise<Discovery> {
  return (await findDaemon(paths.discovery)) ?? (await start(paths, env, program));
}

/** One memory arena for all threads. Only one thread allocates much, and each further arena would keep some memory. */
export const daemonEnv = { MALLOC_ARENA_MAX: "1" };

const ANOTHER_RUNS = 5;

async function start(paths: BatonPaths, env: NodeJS.ProcessEnv, program: string): Promise<Discovery> {
  const log = openLog(paths);
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
    child.once("close", (code) => settle({ code })); // after all of its output
    stdout?.once("data", (line: Buffer) => settle(readStartLine(line)));
  });
  stdout?.destroy();
  child.unref();
  const found = await findDaemon(paths.discovery);
  if (found) return found;
  if (ended.code === ANOTHER_RUNS) return waitForOther(paths);
  const why = ended.why ?? (ended.code === undefined ? "it ended at once" : `exit ${ended.code}`);
  throw new DaemonUnavailable(`The daemon could not be started: ${why}\nIts log is ${paths.logFile}.`);
}

/** Opens the log for the daemon's output. */
function openLog({ log, logFile }: BatonPaths): number {
  try {
    makePrivateFolder(log);
    rotateLog(logFile);
    return openSync(logFile, "a", 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DaemonUnavailable(`Baton cannot write to ${log} (${why}). Make it writable, or set BATON_HOME to another folder.`, {
      cause: error,
    });
  }
}

/** Reads the first line of a daemon. Without `why` the daemon is ready. */
function readStartLine(line: Buffer): { why?: string } {
  const content = parseJson(line.toString("utf8")); // a daemon of another version has another format
  return isRecord(content) && "why" in content ? { why: String(content["why"]) } : {};
}

const OTHER_READY_MS = 5_000;
const POLL_MS = 20;

/** Waits until another process, which holds the lock, has written its address. */
async function waitForOther(paths: BatonPaths): Promise<Discovery> {
  for (const until = performance.now() + OTHER_READY_MS; performance.now() < until;) {
    const found = await findDaemon(paths.discovery);
    if (found) return found;
    await new Promise((look) => setTimeout(look, POLL_MS));
  }
  const holder = findLockHolder(paths.lock);
  if (holder?.isDaemon === false)
    throw new DaemonUnavailable(`Process ${holder.pid} is using Baton's store (${paths.lock}). Wait until it has ended, then try again.`);
  const who = holder === undefined ? "A daemon" : `The daemon (pid ${holder.pid})`;
  throw new DaemonUnavailable(
    `${who} is running but does not answer. \`baton daemon restart\` restarts it. Nothing that it has saved is lost.`,
  );
}
