import { omitUndefined } from "@baton/core/text/omit-undefined";
import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { StoreBlobs } from "@baton/core/protocol/connection/store-report";
import { openSocketServer } from "./api/http/socket-server.ts";
import { loadRouters } from "./api/router.ts";
import { PROTOCOL, readDiscovery, type Discovery } from "./client/discovery.ts";
import { makePrivateFolder } from "./client/make-private-folder.ts";
import { openAgentServices, workspaceLoader } from "./composition/agent/agent-services.ts";
import { apiServices } from "./composition/api/api-services.ts";
import { buildSessionDependencies } from "./composition/sessions/build-session-dependencies.ts";
import { openFoundation, type Foundation, type FoundationOptions } from "./composition/foundation/open-foundation.ts";
import { watchMemoryPressure } from "./composition/upkeep/memory-pressure.ts";
import { openMcpEndpoint } from "./composition/api/open-mcp-endpoint.ts";
import { pollSharedStore } from "./composition/upkeep/poll-shared-store.ts";
import { listReadableFiles } from "./composition/agent/readable-files.ts";
import { placeSetupApproval } from "./composition/sessions/place-setup-gate.ts";
import { scheduleMaintenance } from "./composition/upkeep/schedule-maintenance.ts";
import { openAutoAnswer } from "./composition/sessions/auto-answer-questions.ts";
import { runInBackground } from "./session/run-in-background.ts";
import { Sessions } from "./session/sessions.ts";
import { readIdentity, writePrivate } from "./store/daemon-token-and-port.ts";
import { takeLock } from "./store/database/store-lock.ts";
import { systemClock } from "./system/clock.ts";

export const VERSION = "0.1.0";

/** `close` takes at most `withinMs`. It uses most of that to let running work end. */
export type RunningDaemon = { discovery: Discovery; close: (withinMs: number) => Promise<void> };

/** The part of the time to close that is reserved for ending what still runs. */
const ENDING_MS = 1_500;
/** How long commands and servers have to end before they are killed. */
const TERMINATE_MS = 700;

type DaemonOptions = FoundationOptions & {
  /** The folder of the built page. */
  page: string;
  /** The build of this version. Undefined when the daemon runs from its sources. */
  build?: string | undefined;
  /** Called when a client asks the daemon to stop. */
  stop: () => void;
};

/**
 * Starts the daemon in this order: lock, config, store, sessions, listener, discovery file. Then it continues the work that
 * a killed daemon left. Returns undefined when another daemon holds the lock.
 */
export async function openDaemon(options: DaemonOptions): Promise<RunningDaemon | undefined> {
  const { paths, report } = options;
  for (const folder of [paths.config, paths.state, paths.log]) ensurePrivateFolder(folder);
  const lock = takeLock(paths.lock);
  if (!lock) return undefined;
  const previous = await readDiscovery(paths.discovery);

  const foundation = await openFoundation(options);
  const { bootId, config, store, late } = foundation;
  let port = 0; // nothing redirects here before the daemon listens
  const agent = openAgentServices(foundation, () => `http://127.0.0.1:${port}/oauth/callback`);
  const load = workspaceLoader(foundation, agent);
  const services = buildSessionDependencies(foundation, agent);
  const sessions = openSessions(foundation, services, load);
  late.sessions = sessions;
  late.readableFiles = listReadableFiles(services);
  late.setups = placeSetupApproval(foundation, services);
  const autoAnswer = openAutoAnswer({
    sessions,
    afterMs: () => toMilliseconds(config.now().config.autoAnswer),
    clock: systemClock,
    report,
  });
  const { profiles, servers, modeServers } = agent;
  const endpoint = openMcpEndpoint({
    profiles,
    identity: { version: VERSION, instance: bootId },
    servers,
    modeServers,
    sessions,
    load,
    report,
  });
  late.endpoint = endpoint;

  const identityFile = path.join(paths.state, "identity.json");
  const identity = await readIdentity(identityFile);
  const life = {
    pid: process.pid,
    bootId,
    protocol: PROTOCOL,
    version: VERSION,
    startedAt: Date.now(),
    ...omitUndefined({ build: options.build }),
  };
  const listening = await openSocketServer(identity.port, identity.token, (boundPort, connections) =>
    apiServices({
      foundation,
      agent,
      services,
      sessions,
      endpoint,
      load,
      life: { ...life, port: boundPort },
      connections,
      stop: options.stop,
      page: options.page,
    }),
  );
  port = listening.port;
  const discovery: Discovery = { ...life, port, token: identity.token };
  if (port !== identity.port) await writePrivate(identityFile, { ...identity, port });
  await writePrivate(paths.discovery, discovery);

  const swept = previous ? foundation.ports.sweep(previous.bootId) : Promise.resolve();
  runInBackground(
    swept.then(() => foundation.places.recover()),
    report,
  );
  const tried = foundation.sandbox.tried(); // only now, because it would delay the start
  const resumed = store.database.problem() === undefined ? tried.then(() => sessions.resume()) : tried;
  runInBackground(Promise.all([resumed.then(() => load("")), loadRouters()]), report);
  const { workspaces, env } = foundation;
  const sharedStore = store.shared && pollSharedStore({ shared: store.shared, workspaces, sessions, clock: systemClock, report });
  const maintenance = scheduleMaintenance({
    remote: store.remote,
    paths,
    database: store.database,
    sessions,
    config: config.now,
    env,
    report,
    crashed: previous !== undefined,
    searchIndex: store.search,
    sweep: () => sweepStore(foundation),
  });

  return {
    discovery,
    close: async (withinMs) => {
      autoAnswer.close();
      agent.codeIndex.close();
      sharedStore?.close();
      maintenance.close();
      await Promise.all([endpoint.close(), sessions.close(Math.max(0, withinMs - ENDING_MS))]);
      setTimeout(() => foundation.forceEnd.abort(), TERMINATE_MS).unref();
      await Promise.all([servers.close(), agent.languages.pool.close(), agent.processes.close(), foundation.ports.close()]);
      await listening.close();
      await rm(paths.discovery, { force: true });
      config.close();
      foundation.managed.close();
      agent.modes.close();
      await store.close();
      lock.release();
    },
  };
}

type SessionsParameters = ConstructorParameters<typeof Sessions>;

function openSessions(foundation: Foundation, services: SessionsParameters[0], load: SessionsParameters[2]["load"]): Sessions {
  const { config, lists } = foundation;
  return new Sessions(services, lists, {
    load,
    children: {
      perSession: () => config.now().config.limits?.children ?? 4,
      depth: () => config.now().config.limits?.childDepth ?? 5,
    },
    isTight: watchMemoryPressure(systemClock),
    sweep: () => sweepStore(foundation),
  });
}

/** Frees what deleted sessions leave: their words in the search index, and blobs. */
async function sweepStore({ store, blobs }: Foundation): Promise<StoreBlobs> {
  await store.search.purge();
  return blobs.sweep();
}

/** Makes a folder that only this user can read, even if it exists already. */
function ensurePrivateFolder(folder: string): void {
  makePrivateFolder(folder);
  chmodSync(folder, 0o700);
}

const toMilliseconds = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : seconds * 1_000);
