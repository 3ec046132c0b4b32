import { randomUUID } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { actions } from "@baton/core/permission/action";
import { rulesOfMode } from "@baton/core/mode/rules-of-mode";
import { loadExpressions } from "@baton/core/permission/expression";
import { stack } from "@baton/core/permission/layer";
import * as z from "zod";
import type { Served } from "./api/context.ts";
import { openLogin } from "./api/login.ts";
import { realFolder } from "./api/real-folder.ts";
import { openGuidance, type Guidance } from "./instruction/index.ts";
import { listen } from "./api/server.ts";
import { PROTOCOL, readDiscovery, type Discovery } from "./client/discovery.ts";
import type { Places } from "./client/places.ts";
import { addRules } from "./config/add-rules.ts";
import { importRules } from "./config/foreign-rules.ts";
import { loadConfig, type Loaded, type Reading } from "./config/load.ts";
import { networkRules } from "./config/network-rules.ts";
import { openProjectConfigs, type ProjectConfigs } from "./config/project.ts";
import { providersOf } from "./config/settings.ts";
import { watchFile } from "./config/watch.ts";
import { openBrowserTokens } from "./log/browser-tokens.ts";
import { openDatabase } from "./log/database.ts";
import { derivedOf, openLists, type Lists } from "./log/derived.ts";
import { openEventLog, type EventLog } from "./log/event-log.ts";
import { readIdentity, writePrivate } from "./log/identity.ts";
import { takeLock } from "./log/lock.ts";
import { openCatalog, type Catalog } from "./model/catalog.ts";
import type { OfferedTool } from "./model/provider.ts";
import { openCatalogue, type Catalogue } from "./mode/catalogue.ts";
import { openEditor } from "./mode/editor.ts";
import { validate } from "./mode/validate.ts";
import { lazyGates, type LazyGates } from "./permission/lazy-gates.ts";
import { pathGate } from "./permission/path.ts";
import { askWhereUnsaved } from "./permission/unsaved.ts";
import { systemClock } from "./port/clock.ts";
import { projectFiles } from "./config/project-files.ts";
import { fault } from "./port/fault.ts";
import { bubblewrap, type Sandbox } from "./port/sandbox.ts";
import { openPorts, type OpenPorts } from "./port/open.ts";
import { inBackground } from "./session/in-background.ts";
import type { Parts } from "./session/parts.ts";
import { Sessions } from "./session/sessions.ts";
import { openWorkspaces, ruleOfGrant, type Workspaces } from "./session/workspaces.ts";
import type { Tool } from "./tool/define.ts";
import { toolByName } from "./tool/index.ts";

export const VERSION = "0.1.0";

export type World = { discovery: Discovery; close: (drainMs: number) => Promise<void> };

export type WorldOptions = {
  places: Places;
  env: Record<string, string | undefined>;
  report: (problem: string, error: unknown) => void;
  /** The folder of the built page. */
  page: string;
  /** Called when a client asks the daemon to end. */
  stop: () => void;
  /** Stands between the daemon and its log, so that a test can make it fail or end the process at a commit. */
  throughLog?: (log: EventLog) => EventLog;
};

/**
 * Puts the daemon together and starts it, in this order: lock, store, config, sessions, listener, discovery file; then
 * what a dead daemon left is carried on. Gives undefined when another daemon holds the lock.
 */
export async function openWorld(options: WorldOptions): Promise<World | undefined> {
  const { places, env, report } = options;
  for (const folder of [places.config, places.state, places.log]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = takeLock(places.lock);
  if (!lock) return undefined;
  const bootId = randomUUID();
  const earlier = await readDiscovery(places.discovery);
  const database = await openDatabase(places.database);
  const { throughLog = (log) => log } = options;
  const log = throughLog(openEventLog(database));
  const workspaces = openWorkspaces(log, systemClock);
  const known = [...actions, ...toolByName.keys()];
  const config = await openConfig(places.configFile, report, () => sessions.rejudge(), known);
  const managed = await loadConfig(places.managedFile, undefined, { layer: "managed", actions: known });
  const sandbox = () => sandboxOf(config.now(), places);
  const gates = lazyGates();
  const ports = await openPorts({
    bootId,
    folder: places.state,
    blobs: places.blobs,
    clock: systemClock,
    env,
    passEnv: config.now().config.passEnv ?? [],
    sandbox,
    mayReach: (address) => gates.now().isPublicAddress(address),
  });
  const modes = openCatalogue({
    config: places.config,
    home: env["HOME"] ?? homedir(),
    env,
    overrides: () => config.now().config.modes ?? NO_OVERRIDES,
    trusted: (workspace) => workspaces.trust(workspace) === "trusted",
    changed: (workspace) => sessions.rejudge(workspace),
    report,
  });
  const guidance = openGuidance({
    config: places.config,
    trusted: (workspace) => workspaces.trust(workspace) === "trusted",
    now: () => systemClock.now(),
  });
  const catalog = openCatalog(() => catalogSettings(config.now(), modes, env));
  const lists = openLists(database);
  const parts = partsOf({
    log,
    lists,
    workspaces,
    config: config.now,
    managed,
    projects: openProjectConfigs(known),
    ports,
    catalog,
    modes,
    gates,
    guidance,
    places,
    report,
    rejudge: (workspace) => sessions.rejudge(workspace),
  });
  const load = async (workspace: string) =>
    void (await Promise.all([gates.load(), loadExpressions(), workspaces.load(workspace), modes.load(workspace)]));
  const sessions = new Sessions(parts, lists, {
    load,
    mostChildren: () => config.now().config.limits?.children ?? 4,
  });

  const browserTokens = openBrowserTokens(database);
  const identity = await readIdentity(path.join(places.state, "identity.json"));
  const startedAt = Date.now();
  const listening = await listen(identity.port, identity.token, (port, connections): Served => ({
    sessions,
    workspaces,
    parts,
    catalog,
    modes,
    modeEditor: openEditor(modes, { config: places.config, trusted: (workspace) => workspaces.trust(workspace) === "trusted" }),
    validateModes: validate,
    guidance,
    look: async (given) => {
      const cwd = realFolder(given);
      await load(cwd);
      return cwd;
    },
    config: config.now,
    importRules,
    addRules: (rules) => addRules(places.configFile, rules),
    status: () => ({
      pid: process.pid,
      bootId,
      port,
      protocol: PROTOCOL,
      version: VERSION,
      startedAt,
      home: places.state,
      openSessions: sessions.open,
      connections: connections(),
      memory: process.memoryUsage.rss(),
      diagnostics: [...config.now().diagnostics, ...managed.diagnostics],
    }),
    stop: options.stop,
    login: openLogin(() => browserTokens.issue(Date.now()), Date.now),
    acceptsToken: (token) => browserTokens.accept(token, Date.now()),
    uploads: ports.uploads,
    buffers: ports.buffers,
    page: options.page,
  }));
  const discovery: Discovery = {
    pid: process.pid,
    bootId,
    port: listening.port,
    token: identity.token,
    protocol: PROTOCOL,
    version: VERSION,
    startedAt,
  };
  if (listening.port !== identity.port) await writePrivate(path.join(places.state, "identity.json"), { ...identity, port: listening.port });
  await writePrivate(places.discovery, discovery);
  if (earlier) inBackground(ports.sweep(earlier.bootId), report);
  inBackground(
    sessions.resume().then(() => load("")),
    report,
  );

  return {
    discovery,
    close: async (drainMs) => {
      await sessions.close(drainMs);
      await ports.close();
      await listening.close();
      await rm(places.discovery, { force: true });
      config.close();
      modes.close();
      database.close();
      lock.release();
    },
  };
}

type PartsOptions = {
  log: EventLog;
  lists: Lists;
  workspaces: Workspaces;
  config: () => Loaded;
  managed: Loaded;
  projects: ProjectConfigs;
  ports: OpenPorts;
  catalog: Catalog;
  modes: Catalogue;
  gates: LazyGates;
  guidance: Guidance;
  places: Places;
  report: WorldOptions["report"];
  rejudge: (workspace: string) => void;
};

function partsOf({
  log,
  lists,
  workspaces,
  config,
  managed,
  projects,
  ports,
  catalog,
  modes,
  gates,
  guidance,
  places,
  report,
  rejudge,
}: PartsOptions): Omit<Parts, "committed" | "children"> {
  const schemas = new Map<Tool, OfferedTool>();
  const ownRoots = ownRootsOf(places);
  const isTrusted = (workspace: string, trusted = workspaces.trust(workspace) === "trusted") => trusted;
  return {
    log,
    report,
    clock: systemClock,
    derive: derivedOf,
    snapshot: lists.snapshot,
    tools: toolByName,
    schemaOf: (tool) => {
      const known = schemas.get(tool) ?? schemaOf(tool);
      schemas.set(tool, known);
      return known;
    },
    versions: versionsOf(ports),
    ports: ({ workspace, judged, mayRead, mayFetch, keep }) =>
      ports.of({
        ...(keep ? { keep } : {}),
        workspace,
        library: guidance.library(workspace),
        mayRead: (relative) => gates.now().mayShow(relative, { workspace, ownRoots }) && mayRead(relative),
        mayGo: gates.now().judgedAddresses(judged, mayFetch),
        resolve: gates.now().judgedOnly(pathGate(workspace), judged),
      }),
    readBlob: (hash) => ports.uploads.read(hash),
    modes: modes.of,
    told: guidance.told,
    situation: ({ experimentalFeatures = {} }, model) => {
      const { todoList = true, codebaseIndex = false, disabledTools = [], experiments = {} } = config().config;
      return { todoList, codebaseIndex, disabledTools, experiments: { ...experiments, ...experimentalFeatures }, model };
    },
    defaultMode: () => config().config.defaultMode ?? "code",
    models: catalog,
    rules: ({ workspace, mode, grants, ceilings, trusted }) => {
      const { rules: user, insteadOfAsking, config: settings } = config();
      const project = isTrusted(workspace, trusted) ? projects(workspace) : undefined;
      return stack({
        mode: rulesOfMode(mode, { everyModeSwitches: settings.coordination === "off" }),
        user,
        insteadOfAsking,
        workspace: workspaces.grants(workspace).map(ruleOfGrant),
        managed: managed.rules,
        project: project?.rules ?? [],
        settings: [config(), ...(project ? [project] : []), managed].flatMap(networkRules),
        parent: ceilings,
        session: grants.filter((grant) => grant.mode === mode.slug).map(ruleOfGrant),
      });
    },
    trust: workspaces.trust,
    settleTrust: async (workspace, trusted, by) => {
      await workspaces.settleTrust(workspace, trusted, by);
      rejudge(workspace);
    },
    projectFiles,
    coordination: () => config().config.coordination ?? "auto",
    gate: (access, workspace, trusted) => {
      const maxParts = config().config.commands?.maxParts ?? 200;
      const gated = gates.now().gate(access, { workspace, ownRoots, trusted: isTrusted(workspace, trusted), maxParts });
      return "refused" in gated ? gated : askWhereUnsaved(gated, (file) => ports.buffers.at(path.resolve(workspace, file))?.client);
    },
    grantToWorkspace: async (workspace, grant) => {
      await workspaces.give(workspace, grant, { daemon: true });
      rejudge(workspace);
    },
  };
}

/** Keys and the daemon's own folders are out of sight inside. */
function sandboxOf({ config }: Loaded, places: Places): Sandbox | undefined {
  if (config.sandbox !== "on") return undefined;
  const home = homedir();
  const hidden = [...ownRootsOf(places), ...[".ssh", ".gnupg", ".aws", ".config/gcloud"].map((name) => path.join(home, name))];
  return bubblewrap({ hidden, network: config.network !== "off" });
}

/** Contents of files by their path in a workspace; what the path gate refuses is nothing that can be kept. */
function versionsOf({ versions }: OpenPorts): Parts["versions"] {
  const at = (workspace: string, file: string) => pathGate(workspace)(file);
  return {
    keep: async (workspace, file) => {
      const place = at(workspace, file);
      return "refused" in place ? undefined : versions.keep(place);
    },
    now: async (workspace, file) => {
      const place = at(workspace, file);
      return "refused" in place ? undefined : versions.now(place);
    },
    restore: async (workspace, file, to, signal) => {
      const place = at(workspace, file);
      return "refused" in place ? fault("refused", place.refused) : versions.restore(place, to, signal);
    },
  };
}

const NO_OVERRIDES = {};

/** Folders that no tool may read or write: they hold what decides about tools. */
const ownRootsOf = ({ config, state, log }: Places): string[] => [config, state, log].map((folder) => realpathSync(folder));

function schemaOf({ name, description, input }: Tool): OfferedTool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return { name, description, schema };
}

function catalogSettings(
  { config }: Loaded,
  modes: Catalogue,
  env: WorldOptions["env"],
): Parameters<typeof openCatalog>[0] extends () => infer Settings ? Settings : never {
  const endpoints = modes
    .endpoints()
    .map(({ slug, model }) => ({ name: model?.provider ?? slug, baseUrl: model?.baseUrl ?? "", models: [] }));
  return {
    model: env["BATON_MODEL"] ?? config.model,
    providers: [...providersOf(config, env), ...endpoints],
    env,
    demo: env["BATON_DEMO_SCRIPT"] ?? "",
  };
}

/** The config, read again whenever its file changes; what is broken keeps what held before. */
async function openConfig(
  file: string,
  report: WorldOptions["report"],
  changed: () => void,
  actions: readonly string[],
): Promise<{ now: () => Loaded; close: () => void }> {
  const reading: Reading = { layer: "user", actions };
  let loaded = await loadConfig(file, undefined, reading);
  const close = watchFile(file, () => {
    const again = loadConfig(file, loaded, reading).then((next) => {
      loaded = next;
      changed();
    });
    inBackground(again, report);
  });
  return { now: () => loaded, close };
}
