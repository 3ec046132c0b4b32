import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { actions } from "@baton/core/permission/known-actions";
import type { BatonPaths } from "../../client/paths.ts";
import { openProjectConfigs, type ProjectConfigs } from "../../config/project/project-config.ts";
import type { Places } from "../../place/places.ts";
import { lazyGates, type LazyGates } from "./lazy-gates.ts";
import { openFileEditors, type FileEditors } from "../../session/files/file-editors.ts";
import { openWorkspaceDecisions, type WorkspaceDecisions } from "../../session/workspace/workspace-decisions.ts";
import { openOutputJournal, type OutputJournal } from "../../system/commands/output-journal.ts";
import { blobTrackingLog } from "../../store/blob-references.ts";
import type { EventLog } from "../../store/event-log.ts";
import { readMachine, type Machine } from "../../store/machine-id.ts";
import { openLists, type StoreLists } from "../../store/projections.ts";
import { openUsageLedger, type UsageLedger } from "../../store/usage-ledger.ts";
import { confirmedAppendLog } from "../../store/confirmed-append-log.ts";
import { systemClock } from "../../system/clock.ts";
import { openBlobs } from "../../system/files/blob.ts";
import { openPorts, type OpenPorts } from "../../system/open-system-ports.ts";
import { toolByName } from "../../tool/builtin-tools.ts";
import { openBlobCleanup, type BlobCleanup } from "./blob-cleanup.ts";
import { commandLimits } from "./command-limits.ts";
import { openConfig, openManagedConfig, type OpenConfig } from "./open-config.ts";
import { openSessionNetworks, type SessionNetworks } from "./open-sandbox-network.ts";
import type { LateServices } from "./late-services.ts";
import { openSandbox, type DaemonSandbox } from "./open-sandbox.ts";
import { openPlacesOf, workspacesByIdentity } from "./open-places.ts";
import { openStore, type OpenStore } from "./open-store.ts";
import { networkRules } from "../../config/resolve-settings.ts";

export type FoundationOptions = {
  paths: BatonPaths;
  env: Readonly<Record<string, string | undefined>>;
  report: (problem: string, error: unknown) => void;
  /** The folder of the sample project, with the script of its tour. Undefined where the demo is not installed. */
  sample?: string | undefined;
  /** Wraps the log, so that a test can make it fail or end the process at a commit. */
  wrapLog?: ((log: EventLog) => EventLog) | undefined;
};

/** The services that everything else builds on: config, store, workspaces and the system. */
export type Foundation = Pick<FoundationOptions, "paths" | "env" | "sample" | "report"> & {
  bootId: string;
  home: string;
  /** The actions that rules may name. */
  ruleActions: readonly string[];
  config: OpenConfig;
  managed: Awaited<ReturnType<typeof openManagedConfig>>;
  projects: ProjectConfigs;
  machine: Machine;
  store: OpenStore;
  log: EventLog;
  lists: StoreLists;
  spending: UsageLedger;
  blobs: BlobCleanup;
  places: Places;
  workspaces: WorkspaceDecisions;
  editors: FileEditors;
  gates: LazyGates;
  ports: OpenPorts;
  sandbox: DaemonSandbox;
  outputs: OutputJournal;
  /** Ends commands and servers by force when it aborts. */
  forceEnd: AbortController;
  /** The networks of sandboxed programs. */
  networks: SessionNetworks;
  late: LateServices;
};

/** Opens the config, then the store, then what reads them. */
export async function openFoundation({ paths, env, sample, report, wrapLog = (log) => log }: FoundationOptions): Promise<Foundation> {
  const late: LateServices = {};
  const bootId = randomUUID();
  const ruleActions = [...actions, ...toolByName.keys()];
  const configChanged = () => {
    late.servers?.refresh();
    late.sessions?.rejudge();
  };
  const config = await openConfig(paths.configFile, report, configChanged, ruleActions);
  const managed = await openManagedConfig(paths.managedFile, report, () => late.sessions?.rejudge(), ruleActions);

  const machine = await readMachine(paths.machine);
  const store = await openStore({ paths, machine, config: config.now().config, env, report });
  const blobStore = openBlobs(paths.blobs);
  const log = blobTrackingLog(confirmedAppendLog(wrapLog(store.log)), blobStore);

  const gates = lazyGates();
  const forceEnd = new AbortController();
  const sandbox = openSandbox({ config: () => config.now().config, paths, env });
  const networks = openSessionNetworks({
    bootId,
    folder: paths.state,
    env,
    config: () => config.now().config,
    rules: () => ({ rules: config.now().rules, ceilings: [managed.now().rules, ...[config.now(), managed.now()].map(networkRules)] }),
    gates,
    late,
  });
  const ports = await openPorts({
    bootId,
    folder: paths.state,
    blobs: blobStore,
    clock: systemClock,
    env,
    passEnv: () => config.now().config.passEnv ?? [],
    sandbox,
    network: networks,
    bounds: () => commandLimits(config.now().config),
    hurry: forceEnd.signal,
    mayReach: (address) => gates.now().isPublicAddress(address),
  });
  const lists = openLists(store.database);
  const places = await openPlacesOf({ log, machine, store, paths, env, bootId, ports, blobs: blobStore, late });
  const workspaces = workspacesByIdentity(
    openWorkspaceDecisions(log, systemClock, { machine: store.shared && machine.id, changed: () => late.sessions?.rejudge() }),
    places.identity,
  );
  const projects = openProjectConfigs(ruleActions);
  const projectConfig = (workspace: string) => projects.of(places.identity(workspace)).config;
  late.limits = (workspace) => [managed.now().config, ...(isTrusted({ workspaces }, workspace) ? [projectConfig(workspace)] : [])];

  return {
    paths,
    env,
    sample,
    report,
    bootId,
    home: env["HOME"] ?? homedir(),
    ruleActions,
    config,
    managed,
    projects: { ...projects, of: (workspace) => projects.of(places.identity(workspace)) },
    machine,
    store,
    log,
    lists,
    editors: openFileEditors(log, lists, () => systemClock.now()),
    spending: openUsageLedger(store.database),
    blobs: openBlobCleanup({ database: store.database, blobs: blobStore }),
    places,
    workspaces,
    gates,
    ports,
    networks,
    sandbox,
    outputs: openOutputJournal(paths.outputs, report),
    forceEnd,
    late,
  };
}

/** Whether the user trusts a workspace. */
export const isTrusted = ({ workspaces }: Pick<Foundation, "workspaces">, workspace: string): boolean =>
  workspaces.trust(workspace) === "trusted";
