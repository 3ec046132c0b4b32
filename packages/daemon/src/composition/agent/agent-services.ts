import path from "node:path";
import { loadRegexEngine } from "@baton/core/text/regex";
import type { ProjectServers } from "../../config/project/project-servers.ts";
import { openPromptFiles, type PromptFiles } from "../../instructions/prompt-files.ts";
import type { ScriptTools } from "../../script-tool/script-tools.ts";
import type { Hooks } from "../../hook/hooks.ts";
import type { PendingLogins } from "../../mcp/connection/pending-logins.ts";
import type { ClientServers } from "../../mcp/endpoint/client-mcp-servers.ts";
import { openEndpointProfiles, SHARED_PROFILE, type EndpointProfiles } from "../../mcp/endpoint/endpoint-profiles.ts";
import type { ServerManager } from "../../mcp/server-manager.ts";
import { openModeRegistry, type ModeRegistry } from "../../mode/mode-registry.ts";
import { openApiKeys, type ApiKeys } from "../../model/api-keys.ts";
import { systemKeychain } from "../../system/platform/keychain.ts";
import { openModelRegistry, type ModelRegistry } from "../../model/model-registry.ts";
import { openCatalogStore, type CatalogStore } from "../../model/stored-catalog.ts";
import { deniedReadReason, escapingSymlinkReason } from "../../permission/escaping-symlink.ts";
import { profileNames } from "../../store/endpoint-profile-names.ts";
import { systemClock } from "../../system/clock.ts";
import { openStdioProcesses, type StdioProcesses } from "../../system/commands/stdio-process.ts";
import { modelRegistrySettings } from "./model-registry-settings.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";
import { openModeServers, type ModeServers } from "./mode-mcp-servers.ts";
import { openScriptToolsOf } from "./open-script-tools.ts";
import type { Environments } from "../../dev-environment/environments.ts";
import { openEnvironmentsOf } from "./open-dev-environments.ts";
import { openHooksOf } from "./open-hooks.ts";
import { openCodeIndex, type CodeIndex } from "./open-code-index.ts";
import { openLanguages, type Languages } from "./open-languages.ts";
import { openPluginsOf, type WorkspacePlugins } from "./open-plugins.ts";
import { openServers, serverSandboxes } from "./open-mcp-servers.ts";
import { protectedRoots } from "../foundation/protected-roots.ts";

/** Modes, instructions, models and MCP servers: what an agent works with. */
export type AgentServices = {
  modes: ModeRegistry;
  guidance: PromptFiles;
  models: ModelRegistry;
  catalogStore: CatalogStore;
  keys: ApiKeys;
  processes: StdioProcesses;
  servers: ServerManager;
  modeServers: ModeServers;
  projectServers: ProjectServers;
  logins: PendingLogins;
  clientServers: ClientServers;
  profiles: EndpointProfiles;
  hooks: Hooks;
  scriptTools: ScriptTools;
  environments: Environments;
  languages: Languages;
  codeIndex: CodeIndex;
  plugins: WorkspacePlugins;
};

/** `redirectUrl` is the address to which a browser returns after an OAuth login. It is known once the daemon listens. */
export function openAgentServices(foundation: Foundation, redirectUrl: () => string): AgentServices {
  const { paths, env, report, bootId, home, config, workspaces, places, late } = foundation;
  const trusted = (workspace: string) => isTrusted(foundation, workspace);
  const ownRoots = protectedRoots(paths);
  const denies = (workspace: string) => ({ rules: config.now().rules, ceilings: [foundation.managed.now().rules], workspace });
  const strange = (file: string, workspace: string) =>
    escapingSymlinkReason(file, workspace, ownRoots) ?? deniedReadReason(file, workspace, denies(workspace));

  const plugins = openPluginsOf(foundation, () => {
    late.servers?.refresh();
    late.stopPluginServers?.();
    late.sessions?.rejudge();
  });
  const ownModes = openModeRegistry({
    config: paths.config,
    home,
    env,
    overrides: () => config.now().config.modes ?? NO_OVERRIDES,
    trusted,
    plugins: plugins.modes,
    strange,
    isInUse: (workspace) => late.sessions?.workIn(workspace) ?? false,
    changed: (workspace) => late.sessions?.rejudge(workspace),
    report,
  });
  const modes = modesByIdentity(ownModes, places.identity);
  const guidance = openPromptFiles({
    config: paths.config,
    home,
    trusted,
    now: () => systemClock.now(),
    strange,
    sourceOf: places.identity,
    plugins: plugins.library,
    unusedIn: plugins.unusedIn,
  });

  const keys = openApiKeys(path.join(paths.config, "keys.json"), systemKeychain(env));
  const catalogStore = openCatalogStore(paths.modelCatalog, report);
  const models = openModelRegistry(
    () => ({ ...modelRegistrySettings(config.now(), modes, env, foundation.sample), stored: keys.get }),
    async () => (await catalogStore.read())?.providers,
  );

  const profiles = openEndpointProfiles(foundation.log, profileNames(foundation.store.database), () => systemClock.now());
  const processes = openStdioProcesses(bootId, env, foundation.forceEnd.signal);
  const { servers, ...mcp } = openServers({
    config: config.now,
    workspaces,
    identity: places.identity,
    plugins: plugins.servers,
    processes,
    sandboxes: serverSandboxes(foundation),
    clock: systemClock,
    env,
    instance: bootId,
    credentials: path.join(paths.state, "mcp-credentials.json"),
    redirectUrl,
    changed: (workspace) => {
      late.sessions?.rejudge(workspace);
      late.endpoint?.changed(workspace);
    },
    othersChanged: (workspace, what) => late.endpoint?.othersChanged(workspace, what),
    report,
  });
  late.servers = servers;
  const languages = openLanguages(foundation, processes, plugins.languageServers);
  late.stopPluginServers = () => languages.pool.stopWhere(({ name }) => name.includes(":"));

  return {
    modes,
    guidance,
    models,
    catalogStore,
    keys,
    processes,
    servers,
    modeServers: openModeServers(servers, plugins.unusedIn),
    profiles,
    languages,
    codeIndex: openCodeIndex(foundation, models),
    hooks: openHooksOf(foundation, plugins.hookFiles),
    scriptTools: openScriptToolsOf(foundation),
    environments: openEnvironmentsOf(foundation),
    plugins,
    ...mcp,
  };
}

/** Loads everything that sessions of a workspace read synchronously later. */
export function workspaceLoader(foundation: Foundation, agent: AgentServices): (workspace: string) => Promise<void> {
  const { managed, gates, spending, workspaces, projects, editors, sandbox } = foundation;
  const { models, modes, guidance, profiles, projectServers, languages, plugins } = agent;
  return async (workspace) => {
    await plugins.check();
    await Promise.all([
      managed.refresh(),
      gates.load(),
      sandbox.tried(),
      loadRegexEngine(),
      models.load(),
      spending.load(systemClock.now()),
      workspaces.load(workspace),
      editors.load(workspace),
      profiles.open(SHARED_PROFILE),
      modes.load(workspace),
      guidance.look(workspace),
    ]);
    if (!isTrusted(foundation, workspace)) return;
    // Reading them now makes their errors known.
    projects.of(workspace);
    projectServers.of(workspace);
    languages.projectServers.of(workspace);
  };
}

/** The modes of a place are those of its source. */
const modesByIdentity = (modes: ModeRegistry, identity: (folder: string) => string): ModeRegistry => ({
  ...modes,
  of: (workspace) => modes.of(identity(workspace)),
  listed: (workspace) => modes.listed(identity(workspace)),
  written: (workspace, slug) => modes.written(identity(workspace), slug),
  load: (workspace) => modes.load(identity(workspace)),
});

const NO_OVERRIDES = {};
