import path from "node:path";
import { ENDPOINT, endpoint } from "@baton/core/mode/endpoint";
import * as z from "zod";
import type { BatonPaths } from "../client/paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { restrictConfig } from "../config/restrict-config.ts";
import { retrySettings } from "../config/derived-settings.ts";
import type { Config } from "../config/config-schema.ts";
import { projectAgentFiles } from "../config/project-agent-files.ts";
import type { ProjectConfigs } from "../config/project-config.ts";
import type { Guidance } from "../instructions/guidance.ts";
import { changesRow, projectionStatements, type StoreLists } from "../store/projections.ts";
import { usageDay, type Spending } from "../store/usage-ledger.ts";
import type { EventLog } from "../store/event-log.ts";
import type { ModelRegistry } from "../model/model-registry.ts";
import type { OfferedTool } from "../model/model-port.ts";
import type { ModeRegistry } from "../mode/mode-registry.ts";
import type { LazyGates } from "../permission/lazy-gates.ts";
import { pathGate } from "../permission/path.ts";
import { askWhereUnsaved } from "../permission/unsaved.ts";
import { systemClock } from "../system/clock.ts";
import type { OpenPorts } from "../system/open-ports.ts";
import type { SessionDependencies } from "../session/session-dependencies.ts";
import type { Workspaces } from "../session/workspaces.ts";
import type { Tool } from "../tool/tool-types.ts";
import type { ServerManager } from "../mcp/server-manager.ts";
import type { EndpointProfiles } from "../mcp/endpoint/endpoint-profiles.ts";
import { openCachedOffers } from "../tool/cached-offers.ts";
import { protectedRoots } from "./protected-roots.ts";
import { openRuleSets } from "./rule-sets.ts";
import { StoreFault } from "../store/database/store-error.ts";
import type { Machine } from "../store/machine-id.ts";
import type { SharedStore } from "../store/database/shared-store.ts";
import { effectiveToolset, sessionToolsets } from "./session-toolsets.ts";
import { sessionMcpServers } from "./session-mcp-servers.ts";
import { openToolTable } from "./tool-table.ts";
import { workspaceSnapshots } from "./workspace-snapshots.ts";

export type SessionDependenciesOptions = {
  log: EventLog;
  machine: Machine;
  shared: SharedStore | undefined;
  lists: StoreLists;
  spending: Spending;
  workspaces: Workspaces;
  config: () => LoadedConfig;
  managed: () => LoadedConfig;
  projects: ProjectConfigs;
  ports: OpenPorts;
  catalog: ModelRegistry;
  modes: ModeRegistry;
  gates: LazyGates;
  guidance: Guidance;
  places: BatonPaths;
  report: SessionDependencies["report"];
  rejudge: (workspace: string) => void;
  servers: ServerManager;
  profiles: EndpointProfiles;
};

/** What sessions are given of the world. */
export function buildSessionDependencies({
  log,
  machine,
  shared,
  lists,
  spending,
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
  servers,
  profiles,
}: SessionDependenciesOptions): Omit<SessionDependencies, "committed" | "children"> {
  const schemas = new WeakMap<Tool, OfferedTool>();
  const tools = openToolTable();
  const ownRoots = protectedRoots(places);
  const isTrusted = (workspace: string, trusted = workspaces.trust(workspace) === "trusted") => trusted;
  const settingsIn = (workspace: string) =>
    restrictConfig(config().config, isTrusted(workspace) ? projects.of(workspace).config : undefined);
  const equippedIn = effectiveToolset(() => config().config, profiles);
  return {
    log,
    machine,
    ...(shared ? { shared: { ...shared, catchUp: () => caughtUp(workspaces) } } : {}),
    report,
    clock: systemClock,
    random: Math.random,
    derive: projectionStatements,
    changesRow,
    snapshot: lists.snapshot,
    tools: (of) => tools(servers.offering(of.workspace), equippedIn(of), of.endpoint !== undefined),
    toolsets: sessionToolsets(servers, profiles),
    servers: sessionMcpServers(servers, workspaces),
    schemaOf: (tool) => {
      const known = schemas.get(tool) ?? schemaOf(tool);
      schemas.set(tool, known);
      return known;
    },
    versions: workspaceSnapshots(ports),
    stopCommands: (id) => ports.stopSession(id),
    ports: ({ workspace, judged, mayRead, mayFetch, keep }) =>
      ports.of({
        ...(keep ? { keep } : {}),
        workspace,
        library: guidance.library(workspace),
        mayRead: (relative) => mayRead(relative, gates.now().readFloor(relative, { workspace, ownRoots })),
        mayGo: gates.now().judgedAddresses(judged, mayFetch),
        resolve: gates.now().judgedOnly(pathGate(workspace), judged),
      }),
    readBlob: (hash) => ports.uploads.read(hash),
    modes: (workspace) => withEndpoint(modes.of(workspace)),
    told: guidance.told,
    text: guidance.text,
    smallModel: () => config().config.smallModel,
    fallbacks: () => config().config.fallbackModels ?? [],
    retries: () => retrySettings(config().config.retries),
    spending: {
      today: () => spending.on(systemClock.now()),
      isToday: (at) => usageDay(at) === usageDay(systemClock.now()),
      budget: () => config().config.limits?.costPerDay,
      add: (cost) => spending.add(systemClock.now(), cost),
    },
    compaction: () => {
      const { auto = true, model } = config().config.compaction ?? {};
      return { auto, model };
    },
    situation: (workspace, { slug, experimentalFeatures = {} }, model) => {
      const { todoList = true, disabledTools = [], experiments = {} } = settingsIn(workspace);
      const skills = guidance.hasSkills(workspace);
      return {
        todoList,
        disabledTools,
        skills,
        experiments: { ...experiments, ...experimentalFeatures },
        mode: slug,
        model,
      };
    },
    defaultMode: (workspace) => settingsIn(workspace).defaultMode ?? "code",
    limits: (workspace) => limitsOf(settingsIn(workspace).limits),
    models: catalog,
    rules: openRuleSets({ config, managed, projects, workspaces }),
    offer: openCachedOffers(),
    trust: workspaces.trust,
    settleTrust: async (workspace, trusted, by) => {
      await workspaces.settleTrust(workspace, trusted, by);
      servers.refresh(workspace);
      rejudge(workspace);
    },
    projectFiles: projectAgentFiles,
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

/** What other machines granted and revoked is known before anything is judged, and while it cannot be known nothing is. */
const caughtUp = async (workspaces: Workspaces): Promise<void> => {
  try {
    await workspaces.catchUp();
  } catch (error) {
    throw new StoreFault(error);
  }
};

/** The limits of the config in the units of the log. */
const limitsOf = ({ steps = 200, cost, minutes, output }: NonNullable<Config["limits"]> = {}): ReturnType<
  SessionDependencies["limits"]
> => ({
  steps,
  ...(cost === undefined ? {} : { cost }),
  ...(minutes === undefined ? {} : { timeMs: minutes * 60_000 }),
  ...(output === undefined ? {} : { output: output * 1_000_000 }),
});

/** The mode of the endpoint's sessions is found by its name, and listed nowhere. */
const withEndpoint = (known: ReturnType<ModeRegistry["of"]>): ReturnType<ModeRegistry["of"]> => ({
  ...known,
  get: (slug) => (slug === ENDPOINT ? endpoint : known.get(slug)),
});

function schemaOf({ name, description, input, schema: given }: Tool): OfferedTool {
  if (given) return { name, description, schema: given };
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return { name, description, schema };
}
