import { randomUUID } from "node:crypto";
import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { actions } from "@baton/core/permission/action";
import { loadRegexEngine } from "@baton/core/permission/regex";
import type { ApiServices } from "./api/api-context.ts";
import { openPageLogin } from "./api/http/page-login.ts";
import { resolveFolder } from "./api/routers/resolve-folder.ts";
import { warmRouter } from "./api/router.ts";
import { openGuidance } from "./instructions/guidance.ts";
import { listen } from "./api/http/socket-server.ts";
import { openEditorWindows } from "./api/editor-windows.ts";
import { PROTOCOL, readDiscovery, type Discovery } from "./client/discovery.ts";
import { makeFolder } from "./client/make-folder.ts";
import type { BatonPaths } from "./client/paths.ts";
import { defaultModeProblem } from "./config/derived-settings.ts";
import { importRules } from "./config/import/import-rules.ts";
import { parseImportedServers } from "./config/import-servers.ts";
import { configJsonSchema } from "./config/config-schema.ts";
import { openProjectConfigs } from "./config/project-config.ts";
import { openBrowserTokens } from "./store/browser-tokens.ts";
import { openSpending } from "./store/usage-ledger.ts";
import { openLists } from "./store/projections.ts";
import { profileNames } from "./store/profile-names.ts";
import type { EventLog } from "./store/event-log.ts";
import { readIdentity, writePrivate } from "./store/daemon-identity.ts";
import { takeLock } from "./store/database/store-lock.ts";
import { readMachine } from "./store/machine-id.ts";
import { verifiedLog } from "./store/verified-log.ts";
import { openModelRegistry } from "./model/model-registry.ts";
import { commandKeychain } from "./model/keychain.ts";
import { openApiKeys } from "./model/api-keys.ts";
import { keysInEnv } from "./model/known-providers.ts";
import { openModeRegistry } from "./mode/mode-registry.ts";
import { openEndpointProfiles, SHARED_PROFILE } from "./mcp/endpoint/endpoint-profiles.ts";
import { openModeEditor } from "./mode/mode-editor.ts";
import { validateModes } from "./mode/validate-modes.ts";
import { strangeFile } from "./permission/own-file.ts";
import { lazyGates } from "./permission/lazy-gates.ts";
import { systemClock } from "./system/clock.ts";
import { blobTrackingLog } from "./store/blob-references.ts";
import { openBlobs } from "./system/files/blob.ts";
import { openPorts } from "./system/open-ports.ts";
import { openStdioProcesses } from "./system/commands/stdio-process.ts";
import { runInBackground } from "./session/run-in-background.ts";
import { openAutoAnswer } from "./session/auto-answer.ts";
import { Sessions } from "./session/sessions.ts";
import { openWorkspaces } from "./session/workspaces.ts";
import { toolByName } from "./tool/builtin-tools.ts";
import { catalogSettings } from "./composition/catalog-settings.ts";
import { openStore } from "./composition/open-store.ts";
import { commandLimits, configuredSandbox } from "./composition/command-settings.ts";
import { watchMemoryPressure } from "./composition/memory-pressure.ts";
import { openConfig, openManagedConfig } from "./composition/open-config.ts";
import { openMcpEndpoint } from "./composition/open-mcp-endpoint.ts";
import { pollSharedStore } from "./composition/poll-shared-store.ts";
import { expandPrompt } from "./composition/expand-prompt.ts";
import { openServers } from "./composition/open-servers.ts";
import { protectedRoots } from "./composition/protected-roots.ts";
import { buildSessionDependencies } from "./composition/build-session-dependencies.ts";
import { daemonStatus } from "./composition/daemon-status.ts";
import { openBlobCleanup } from "./composition/blob-cleanup.ts";
import { scheduleMaintenance } from "./composition/schedule-maintenance.ts";

export const VERSION = "0.1.0";

/** `close` takes at most `withinMs`, of which most is for what is under way to end by itself. */
export type RunningDaemon = { discovery: Discovery; close: (withinMs: number) => Promise<void> };

/** What of the time to close is kept for ending what still runs, and after how much of that it is ended by force. */
const ENDING_MS = 1_500;
const POLITE_MS = 700;

export type DaemonOptions = {
  places: BatonPaths;
  env: Record<string, string | undefined>;
  report: (problem: string, error: unknown) => void;
  /** The folder of the built page. */
  page: string;
  /** Which build of its version this is; undefined where it does not run from its bundle. */
  build?: string | undefined;
  /** Called when a client asks the daemon to end. */
  stop: () => void;
  /** Stands between the daemon and its log, so that a test can make it fail or end the process at a commit. */
  throughLog?: (log: EventLog) => EventLog;
};

/**
 * Puts the daemon together and starts it, in this order: lock, config, store, sessions, listener, discovery file; then
 * what a dead daemon left is carried on. Gives undefined when another daemon holds the lock.
 */
export async function openDaemon(options: DaemonOptions): Promise<RunningDaemon | undefined> {
  const { places, env, report } = options;
  for (const folder of [places.config, places.state, places.log]) ownFolder(folder);
  const lock = takeLock(places.lock);
  if (!lock) return undefined;
  const bootId = randomUUID();
  const earlier = await readDiscovery(places.discovery);
  const known = [...actions, ...toolByName.keys()];
  const config = await openConfig(places.configFile, report, () => configChanged(), known);
  const configChanged = () => {
    servers.refresh();
    sessions.rejudge();
  };
  const machine = await readMachine(places.machine);
  const store = await openStore({ places, machine, config: config.now().config, env, report });
  const { database } = store;
  const { throughLog = (log) => log } = options;
  const blobs = openBlobs(places.blobs);
  const log = blobTrackingLog(verifiedLog(throughLog(store.log)), blobs);
  const blobCare = openBlobCleanup({ database, blobs });
  const workspaces = openWorkspaces(log, systemClock, { machine: store.shared && machine.id, changed: () => sessions.rejudge() });
  const managed = await openManagedConfig(places.managedFile, report, () => sessions.rejudge(), known);
  const sandbox = () => configuredSandbox(config.now(), places);
  const gates = lazyGates();
  const hurry = new AbortController();
  const ports = await openPorts({
    bootId,
    folder: places.state,
    blobs,
    clock: systemClock,
    env,
    passEnv: () => config.now().config.passEnv ?? [],
    sandbox,
    bounds: () => commandLimits(config.now().config),
    hurry: hurry.signal,
    mayReach: (address) => gates.now().isPublicAddress(address),
  });
  const home = env["HOME"] ?? homedir();
  const ownRoots = protectedRoots(places);
  const strange = (file: string, workspace: string) => strangeFile(file, workspace, ownRoots);
  const modes = openModeRegistry({
    config: places.config,
    home,
    env,
    overrides: () => config.now().config.modes ?? NO_OVERRIDES,
    trusted: (workspace) => workspaces.trust(workspace) === "trusted",
    strange,
    isInUse: (workspace) => sessions.workIn(workspace),
    changed: (workspace) => sessions.rejudge(workspace),
    report,
  });
  const guidance = openGuidance({
    config: places.config,
    home,
    trusted: (workspace) => workspaces.trust(workspace) === "trusted",
    now: () => systemClock.now(),
    strange,
  });
  let port = 0; // as long as nobody listens, nobody comes back
  const talks = openStdioProcesses(bootId, env, hurry.signal);
  const profiles = openEndpointProfiles(log, profileNames(database), () => systemClock.now());
  const {
    host: servers,
    logins,
    lent,
    projectServers,
  } = openServers({
    config: config.now,
    workspaces,
    talks,
    clock: systemClock,
    env,
    instance: bootId,
    credentials: path.join(places.state, "mcp-credentials.json"),
    redirectUrl: () => `http://127.0.0.1:${port}/oauth/callback`,
    changed: (workspace) => {
      sessions.rejudge(workspace);
      endpoint.changed(workspace);
    },
    othersChanged: (workspace, what) => endpoint.othersChanged(workspace, what),
    report,
  });
  const keys = openApiKeys(path.join(places.config, "keys.json"), commandKeychain(env));
  const catalog = openModelRegistry(() => ({ ...catalogSettings(config.now(), modes, env), stored: keys.get }));
  const lists = openLists(database);
  const spending = openSpending(database);
  const projects = openProjectConfigs(known);
  const parts = buildSessionDependencies({
    log,
    machine,
    shared: store.shared,
    lists,
    spending,
    workspaces,
    config: config.now,
    managed: managed.now,
    projects,
    ports,
    models: catalog,
    modes,
    gates,
    guidance,
    places,
    report,
    rulesChanged: (workspace) => sessions.rejudge(workspace),
    servers,
    profiles,
  });
  const load = async (workspace: string) => {
    await Promise.all([
      managed.look(),
      gates.load(),
      loadRegexEngine(),
      catalog.load(),
      spending.load(systemClock.now()),
      workspaces.load(workspace),
      profiles.open(SHARED_PROFILE),
      modes.load(workspace),
      guidance.look(workspace),
    ]);
    if (workspaces.trust(workspace) === "trusted") for (const files of [projects, projectServers]) files.of(workspace); // what is wrong with them is known then
  };
  const sessions = new Sessions(parts, lists, {
    load,
    children: {
      perSession: () => config.now().config.limits?.children ?? 4,
      depth: () => config.now().config.limits?.childDepth ?? 5,
    },
    isTight: watchMemoryPressure(systemClock),
    sweep: () => blobCare.sweep(),
  });

  const autoAnswer = openAutoAnswer({
    sessions,
    afterMs: () => secondsOf(config.now().config.autoAnswer),
    clock: systemClock,
    report,
  });

  const endpoint = openMcpEndpoint({ profiles, identity: { version: VERSION, instance: bootId }, servers, sessions, load, report });

  const browserTokens = openBrowserTokens(database);
  const identity = await readIdentity(path.join(places.state, "identity.json"));
  const life = {
    pid: process.pid,
    bootId,
    protocol: PROTOCOL,
    version: VERSION,
    startedAt: Date.now(),
    ...(options.build === undefined ? {} : { build: options.build }),
  };
  const listening = await listen(identity.port, identity.token, (port, connections): ApiServices => ({
    sessions,
    workspaces,
    parts,
    catalog,
    usedSince: spending.since,
    spentToday: () => spending.whole(systemClock.now()),
    keys: { ...keys, known: () => [...keysInEnv(env), ...keys.list()] },
    modes,
    servers,
    profiles,
    endpoint,
    logins,
    lent,
    changeServers: config.changeServers,
    changeToolsetOfMode: config.changeToolsetOfMode,
    readServers: parseImportedServers,
    modeEditor: openModeEditor(modes, { config: places.config, trusted: (workspace) => workspaces.trust(workspace) === "trusted" }),
    validateModes: validateModes,
    guidance,
    expand: expandPrompt(guidance, servers),
    look: async (given) => {
      const cwd = resolveFolder(given);
      await load(cwd);
      return cwd;
    },
    config: config.now,
    configSchema: configJsonSchema,
    lookAtConfig: async () => void (await Promise.all([config.look(), managed.look()])),
    importRules: (given) => importRules(given, { home, settings: env["XDG_CONFIG_HOME"] ?? path.join(home, ".config") }),
    addRules: config.addRules,
    status: daemonStatus({
      life: { ...life, port },
      places,
      database,
      isRemote: store.remote,
      sessions,
      connections,
      defaultMode: () => parts.settings.defaultMode(""),
      diagnostics: (workspace) => [
        ...config.now().diagnostics,
        ...defaultModeProblem(config.now(), places.configFile, parts.modes(workspace ?? "").all()),
        ...managed.now().diagnostics,
        ...[...projects.diagnostics(), ...projectServers.diagnostics(), ...guidance.leftOut()].filter(
          ({ file }) => workspace === undefined || file.startsWith(workspace + path.sep),
        ),
      ],
    }),
    stop: options.stop,
    login: openPageLogin(() => browserTokens.issue(Date.now()), Date.now),
    acceptsToken: (token) => browserTokens.accept(token, Date.now()),
    uploads: ports.uploads,
    buffers: ports.buffers,
    windows: openEditorWindows(),
    page: options.page,
  }));
  port = listening.port;
  const discovery: Discovery = { ...life, port, token: identity.token };
  if (listening.port !== identity.port) await writePrivate(path.join(places.state, "identity.json"), { ...identity, port: listening.port });
  await writePrivate(places.discovery, discovery);
  if (earlier) runInBackground(ports.sweep(earlier.bootId), report);
  const carriedOn = database.problem() === undefined ? sessions.resume() : Promise.resolve();
  runInBackground(Promise.all([carriedOn.then(() => load("")), warmRouter()]), report);
  const others = store.shared && pollSharedStore({ shared: store.shared, workspaces, sessions, clock: systemClock, report });
  const upkeep = scheduleMaintenance({
    remote: store.remote,
    places,
    database,
    sessions,
    config: config.now,
    env,
    report,
    crashed: earlier !== undefined,
    sweep: () => blobCare.sweep(),
  });

  return {
    discovery,
    close: async (withinMs) => {
      autoAnswer.close();
      others?.close();
      upkeep.close();
      await Promise.all([endpoint.close(), sessions.close(Math.max(0, withinMs - ENDING_MS))]);
      setTimeout(() => hurry.abort(), POLITE_MS).unref();
      await Promise.all([servers.close(), talks.close(), ports.close()]);
      await listening.close();
      await rm(places.discovery, { force: true });
      config.close();
      managed.close();
      modes.close();
      await store.close();
      lock.release();
    },
  };
}

const NO_OVERRIDES = {};

/** A folder that nobody else can look into, also where somebody has made it before. */
function ownFolder(folder: string): void {
  makeFolder(folder);
  chmodSync(folder, 0o700);
}
const secondsOf = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : seconds * 1_000);
