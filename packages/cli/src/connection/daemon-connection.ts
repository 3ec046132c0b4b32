import { readFileSync } from "node:fs";
import { connectTo, findOrStart, DaemonUnavailable, VersionMismatch, batonPaths, type Api, type BatonPaths } from "@baton/daemon/client";
import { isOtherBuild, BUILD_MISMATCH } from "../program/version.ts";
import { EXIT, Stop } from "./exit-codes.ts";

export type { Api };
export type Opened = Awaited<ReturnType<Api["session"]["open"]["query"]>>;
export type Modes = Awaited<ReturnType<Api["daemon"]["modes"]["query"]>>;

/**
 * A connection to the daemon that reconnects on its own. `stopped` means that somebody stopped the daemon on purpose; the
 * connection then does not start it.
 */
export type DaemonConnection = {
  api: Api;
  places: BatonPaths;
  state: () => ConnectionState;
  otherBuild?: string;
  revive: () => Promise<void>;
  close: () => Promise<void>;
};
export type ConnectionState = "connected" | "lost" | "stopped";

export type DaemonConnectionOptions = {
  client: string;
  env?: NodeJS.ProcessEnv;
  onState?: (state: ConnectionState, problem?: string) => void;
};

/** Finds or starts the daemon. If the daemon crashes, a connected client starts it again. */
export async function openDaemonConnection({ client, env = process.env, onState }: DaemonConnectionOptions): Promise<DaemonConnection> {
  const places = batonPaths(env);
  const found = await findOrStart(places, env).catch(toStop);
  let state: ConnectionState = "connected";
  let closing = false;
  let reviving: Promise<void> | undefined;

  const turn = (next: ConnectionState, problem?: string) => {
    if (closing || (next === state && problem === undefined)) return;
    state = next;
    onState?.(state, problem);
  };
  const revive = () => {
    reviving ??= findOrStart(places, env)
      .then(
        () => undefined,
        (error: unknown) => turn("lost", error instanceof Error ? error.message : String(error)),
      )
      .finally(() => (reviving = undefined));
    return reviving;
  };

  const onClose = () => {
    if (closing) return;
    const left = leftBehind(places.discovery);
    turn(left === undefined ? "stopped" : "lost");
    if (left !== undefined && !lives(left)) void revive().catch(() => undefined);
  };
  const connection = orStop(() => connectTo(found, { client, discoveryFile: places.discovery, onOpen: () => turn("connected"), onClose }));
  return {
    api: connection.api,
    places,
    state: () => state,
    ...(isOtherBuild(found) ? { otherBuild: BUILD_MISMATCH } : {}),
    revive,
    close: async () => {
      closing = true;
      await connection.close();
    },
  };
}

/** A missing daemon, or one of another version, ends a command with exit code 5. */
export const toStop = (error: unknown): never => {
  throw error instanceof DaemonUnavailable || error instanceof VersionMismatch ? new Stop(error.message, EXIT.noDaemon) : error;
};

function orStop<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    return toStop(error);
  }
}

/** The pid in daemon.json. A daemon that was stopped removes the file; one that crashed leaves it. */
function leftBehind(file: string): number | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof said === "object" && said !== null && "pid" in said && typeof said.pid === "number" ? said.pid : undefined;
  } catch {
    return undefined;
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Opens a connection, uses it, and closes it in any case. */
export async function withConnection<T>(use: (link: DaemonConnection) => Promise<T>, client = "cli"): Promise<T> {
  const link = await openDaemonConnection({ client });
  try {
    return await use(link);
  } finally {
    await link.close();
  }
}
