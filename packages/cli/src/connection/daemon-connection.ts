import { existsSync } from "node:fs";
import { connectTo, findOrStart, DaemonUnavailable, VersionMismatch, batonPaths, type Api, type BatonPaths } from "@baton/daemon/client";
import { isOtherBuild, BUILD_MISMATCH } from "../program/version.ts";
import { EXIT_CODES, CommandExit } from "./exit-codes.ts";

export type { Api };
export type Modes = Awaited<ReturnType<Api["daemon"]["modes"]["query"]>>;

/**
 * A connection to the daemon that reconnects on its own. `stopped` means that the user stopped the daemon on purpose; the connection then
 * does not start it.
 */
export type DaemonConnection = {
  api: Api;
  paths: BatonPaths;
  state: () => ConnectionState;
  otherBuild?: string;
  revive: () => Promise<void>;
  close: () => Promise<void>;
};
export type ConnectionState = "connected" | "lost" | "stopped";

type DaemonConnectionOptions = {
  client: string;
  env?: NodeJS.ProcessEnv;
  onState?: (state: ConnectionState, problem?: string) => void;
};

/** Finds or starts the daemon. If the daemon crashes, a connected client starts it again. */
export async function openDaemonConnection({ client, env = process.env, onState }: DaemonConnectionOptions): Promise<DaemonConnection> {
  const paths = batonPaths(env);
  const found = await findOrStart(paths, env).catch(toCommandExit);
  let state: ConnectionState = "connected";
  let closing = false;
  let reviving: Promise<void> | undefined;

  const setState = (next: ConnectionState, problem?: string) => {
    if (closing || (next === state && problem === undefined)) return;
    state = next;
    onState?.(state, problem);
  };
  const revive = () => {
    reviving ??= findOrStart(paths, env)
      .then(
        () => undefined,
        (error: unknown) => setState("lost", error instanceof Error ? error.message : String(error)),
      )
      .finally(() => (reviving = undefined));
    return reviving;
  };

  const onClose = () => {
    if (closing) return;
    setState(existsSync(paths.discovery) ? "lost" : "stopped"); // a daemon that was stopped removes the file; one that crashed leaves it
  };
  const connection = orStop(() =>
    connectTo(found, { client, discoveryFile: paths.discovery, start: revive, onOpen: () => setState("connected"), onClose }),
  );
  return {
    api: connection.api,
    paths,
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
export const toCommandExit = (error: unknown): never => {
  throw error instanceof DaemonUnavailable || error instanceof VersionMismatch
    ? new CommandExit(error.message, EXIT_CODES.noDaemon)
    : error;
};

function orStop<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    return toCommandExit(error);
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
