import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findDaemon, type Discovery } from "./discovery.ts";
import type { Places } from "./places.ts";

/** The daemon could not be found, and not be started either. The message says why and what to do. */
export class NoDaemon extends Error {}

/** The daemon's program: the bundle beside this package's client. */
export const daemonProgram = (): string => fileURLToPath(import.meta.resolve("@baton/daemon/main"));

/** The program that looks after the store, with or without a daemon. */
export const storeProgram = (): string => fileURLToPath(import.meta.resolve("@baton/daemon/store"));

/** Finds the daemon of these places or starts it; it goes on when this process ends. Throws `NoDaemon`. */
export async function findOrStart(places: Places, env: NodeJS.ProcessEnv, program = daemonProgram()): Promise<Discovery> {
  return (await findDaemon(places.discovery)) ?? (await start(places, env, program));
}

/** One place for all threads to take memory from: only one of them takes much, and each of the others would hold on to some. */
export const daemonEnv = { MALLOC_ARENA_MAX: "1" };

const ANOTHER_RUNS = 5;

async function start(places: Places, env: NodeJS.ProcessEnv, program: string): Promise<Discovery> {
  mkdirSync(places.log, { recursive: true, mode: 0o700 });
  const log = openSync(places.logFile, "a", 0o600);
  const child = spawn(process.execPath, [program], {
    detached: true,
    stdio: ["ignore", "pipe", log],
    env: { ...env, ...daemonEnv },
    cwd: "/",
  });
  closeSync(log);
  const { stdout } = child;
  const ended = await new Promise<{ ready: true } | { code: number | null; why?: string }>((settle) => {
    child.once("error", (error) => settle({ code: null, why: error.message }));
    child.once("exit", (code) => settle({ code }));
    stdout?.once("data", () => settle({ ready: true }));
  });
  stdout?.destroy();
  child.unref();
  const found = await findDaemon(places.discovery);
  if (found) return found;
  if ("code" in ended && ended.code === ANOTHER_RUNS) return waitForOther(places);
  throw new NoDaemon(
    `The daemon could not be started${"code" in ended ? ` (${ended.why ?? `exit ${ended.code}`})` : ""}. See ${places.logFile}, or run \`baton daemon run\` to see what it says.`,
  );
}

const OTHER_READY_MS = 5_000;
const LOOK_MS = 20;

/** Another process holds the lock and is about to say where it listens. */
async function waitForOther(places: Places): Promise<Discovery> {
  for (const until = performance.now() + OTHER_READY_MS; performance.now() < until;) {
    const found = await findDaemon(places.discovery);
    if (found) return found;
    await new Promise((look) => setTimeout(look, LOOK_MS));
  }
  throw new NoDaemon(
    `Another daemon holds ${places.lock} but does not answer. \`baton doctor\` shows what runs; end that process, then try again.`,
  );
}
