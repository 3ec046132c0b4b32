import { randomUUID } from "node:crypto";
import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { actions } from "@baton/core/permission/action";
import { loadExpressions } from "@baton/core/permission/regex";
import type { Served } from "./api/api-context.ts";
import { openLogin } from "./api/http/page-login.ts";
import { realFolder } from "./api/routers/resolve-folder.ts";
import { warmRouter } from "./api/router.ts";
import { openGuidance } from "./instructions/guidance.ts";
import { listen } from "./api/http/socket-server.ts";
import { openWindows } from "./api/editor-windows.ts";
import { PROTOCOL, readDiscovery, type Discovery } from "./client/discovery.ts";
import { makeFolder } from "./client/make-folder.ts";
import type { Places } from "./client/paths.ts";
import { defaultModeFault } from "./config/default-mode.ts";
import { importRules } from "./config/import/import-rules.ts";
import { importedServers } from "./config/import-servers.ts";
import { configSchema } from "./config/config-json-schema.ts";
import { openProjectConfigs } from "./config/project-config.ts";
import { openBrowserTokens } from "./store/browser-tokens.ts";
import { openSpending } from "./store/usage-ledger.ts";
import { openLists } from "./store/projections.ts";
import { profileNames } from "./store/profile-names.ts";
import type { EventLog } from "./store/event-log.ts";
import { readIdentity, writePrivate } from "./store/daemon-identity.ts";
import { takeLock } from "./store/database/store-lock.ts";
import { readMachine } from "./store/machine-id.ts";
import { sureLog } from "./store/verified-log.ts";
import { openCatalog } from "./model/model-registry.ts";
import { keychainOf } from "./model/keychain.ts";
import { openKeys } from "./model/api-keys.ts";
import { keysIn } from "./model/known-providers.ts";
import { openCatalogue } from "./mode/mode-registry.ts";
import { openProfiles, SHARED } from "./mcp/endpoint/endpoint-profiles.ts";
import { openEditor } from "./mode/mode-editor.ts";
import { validate } from "./mode/validate-modes.ts";
import { strangeFile } from "./permission/own-file.ts";
import { lazyGates } from "./permission/lazy-gates.ts";
import { systemClock } from "./system/clock.ts";
import { namingBlobs } from "./store/blob-tracking-log.ts";
import { openBlobs } from "./system/files/blob.ts";
import { openPorts } from "./system/open-ports.ts";
import { openTalks } from "./system/commands/stdio-process.ts";
import { inBackground } from "./session/run-in-background.ts";
import { openAutoAnswer } from "./session/auto-answer.ts";
import { Sessions } from "./session/sessions.ts";
import { openWorkspaces } from "./session/workspaces.ts";
import { toolByName } from "./tool/builtin-tools.ts";
import { catalogSettings } from "./composition/catalog-settings.ts";
import { openStore } from "./composition/open-store.ts";
import { boundsOf } from "./composition/command-limits.ts";
import { openMemory } from "./composition/memory-pressure.ts";
import { openConfig, openManaged } from "./composition/open-config.ts";
import { openOutside } from "./composition/open-mcp-endpoint.ts";
import { followOthers } from "./composition/poll-shared-store.ts";
import { expandPrompt } from "./composition/expand-prompt.ts";
import { openServers } from "./composition/open-servers.ts";
import { ownRootsOf } from "./composition/protected-roots.ts";
import { partsOf } from "./composition/build-session-dependencies.ts";
import { statusOf } from "./composition/daemon-status.ts";
import { openBlobCare } from "./composition/blob-cleanup.ts";
import { openUpkeep } from "./composition/schedule-maintenance.ts";
import { sandboxOf } from "./composition/configured-sandbox.ts";

export const VERSION = "0.1.0";

/** `close` takes at most `withinMs`, of which most is for what is under way to end by itself. */
export type World = { discovery: Discovery; close: (withinMs: number) => Promise<void> };

/** What of the time to close is kept for ending what still runs, and after how much of that it is ended by force. */
const ENDING_MS = 1_500;
const POLITE_MS = 700;

export type WorldOptions = {
  places: Places;
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
export async function openWorld(options: WorldOptions): Promise<World | undefined> {
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
  const log = namingBlobs(sureLog(throughLog(store.log)), blobs);
  const blobCare = openBlobCare({ database, blobs });
  const workspaces = openWorkspaces(log, systemClock, { machine: store.shared && machine.id, changed: () => sessions.rejudge() });
  const managed = await openManaged(places.managedFile, report, () => sessions.rejudge(), known);
  const sandbox = () => sandboxOf(config.now(), places);
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
    bounds: () => boundsOf(config.now().config),
    hurry: hurry.signal,
    mayReach: (address) => gates.now().isPublicAddress(address),
  });
  const home = env["HOME"] ?? homedir();
  const ownRoots = ownRootsOf(places);
  const strange = (file: string, workspace: string) => strangeFile(file, workspace, ownRoots);
  const modes = openCatalogue({
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
  const talks = openTalks(bootId, env, hurry.signal);
  const profiles = openProfiles(log, profileNames(database), () => systemClock.now());
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
  const keys = openKeys(path.join(places.config, "keys.json"), keychainOf(env));
  const catalog = openCatalog(() => ({ ...catalogSettings(config.now(), modes, env), stored: keys.get }));
  const lists = openLists(database);
  const spending = openSpending(database);
  const projects = openProjectConfigs(known);
  const parts = partsOf({
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
    catalog,
    modes,
    gates,
    guidance,
    places,
    report,
    rejudge: (workspace) => sessions.rejudge(workspace),
    servers,
    profiles,
  });
  const load = async (workspace: string) => {
    await Promise.all([
      managed.look(),
      gates.load(),
      loadExpressions(),
      catalog.load(),
      spending.load(systemClock.now()),
      workspaces.load(workspace),
      profiles.open(SHARED),
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
    isTight: openMemory(systemClock),
    sweep: () => blobCare.sweep(),
  });

  const autoAnswer = openAutoAnswer({
    sessions,
    afterMs: () => secondsOf(config.now().config.autoAnswer),
    clock: systemClock,
    report,
  });

  const endpoint = openOutside({ profiles, identity: { version: VERSION, instance: bootId }, servers, sessions, load, report });

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
  const listening = await listen(identity.port, identity.token, (port, connections): Served => ({
    sessions,
    workspaces,
    parts,
    catalog,
    usedSince: spending.since,
    spentToday: () => spending.whole(systemClock.now()),
    keys: { ...keys, known: () => [...keysIn(env), ...keys.list()] },
    modes,
    servers,
    profiles,
    endpoint,
    logins,
    lent,
    changeServers: config.changeServers,
    changeToolsetOfMode: config.changeToolsetOfMode,
    readServers: importedServers,
    modeEditor: openEditor(modes, { config: places.config, trusted: (workspace) => workspaces.trust(workspace) === "trusted" }),
    validateModes: validate,
    guidance,
    expand: expandPrompt(guidance, servers),
    look: async (given) => {
      const cwd = realFolder(given);
      await load(cwd);
      return cwd;
    },
    config: config.now,
    configSchema,
    lookAtConfig: async () => void (await Promise.all([config.look(), managed.look()])),
    importRules: (given) => importRules(given, { home, settings: env["XDG_CONFIG_HOME"] ?? path.join(home, ".config") }),
    addRules: config.addRules,
    status: statusOf({
      life: { ...life, port },
      places,
      database,
      isRemote: store.remote,
      sessions,
      connections,
      defaultMode: () => parts.defaultMode(""),
      diagnostics: (workspace) => [
        ...config.now().diagnostics,
        ...defaultModeFault(config.now(), places.configFile, parts.modes(workspace ?? "").all()),
        ...managed.now().diagnostics,
        ...[...projects.diagnostics(), ...projectServers.diagnostics(), ...guidance.leftOut()].filter(
          ({ file }) => workspace === undefined || file.startsWith(workspace + path.sep),
        ),
      ],
    }),
    stop: options.stop,
    login: openLogin(() => browserTokens.issue(Date.now()), Date.now),
    acceptsToken: (token) => browserTokens.accept(token, Date.now()),
    uploads: ports.uploads,
    buffers: ports.buffers,
    windows: openWindows(),
    page: options.page,
  }));
  port = listening.port;
  const discovery: Discovery = { ...life, port, token: identity.token };
  if (listening.port !== identity.port) await writePrivate(path.join(places.state, "identity.json"), { ...identity, port: listening.port });
  await writePrivate(places.discovery, discovery);
  if (earlier) inBackground(ports.sweep(earlier.bootId), report);
  const carriedOn = database.problem() === undefined ? sessions.resume() : Promise.resolve();
  inBackground(Promise.all([carriedOn.then(() => load("")), warmRouter()]), report);
  const others = store.shared && followOthers({ shared: store.shared, workspaces, sessions, clock: systemClock, report });
  const upkeep = openUpkeep({
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
