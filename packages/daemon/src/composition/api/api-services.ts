import path from "node:path";
import type { ApiServices, SocketUsage } from "../../api/api-context.ts";
import { openEditorWindows } from "../../api/editor-windows.ts";
import { openPageLogin } from "../../api/http/page-login.ts";
import { resolveFolder } from "../../api/resolve-folder.ts";
import type { Discovery } from "../../client/discovery.ts";
import { formSettings } from "../../config/edit/change-setting.ts";
import { configJsonSchema } from "../../config/config-schema.ts";
import { defaultModeProblem, unsetVariableProblems } from "../../config/resolve-settings.ts";
import { importRules } from "../../config/import/import-rules.ts";
import { parseImportedServers } from "../../config/import-servers.ts";
import type { Endpoint } from "../../mcp/endpoint/endpoint.ts";
import { openModeEditor } from "../../mode/mode-editor.ts";
import { validateModes } from "../../mode/validate-modes.ts";
import { keysInEnv, knownProviders } from "../../model/known-providers.ts";
import { openSessionSummaries } from "../../session/history/session-summaries.ts";
import type { SharedDependencies } from "../../session/session-dependencies.ts";
import type { Sessions } from "../../session/sessions.ts";
import { openBrowserTokens } from "../../store/browser-tokens.ts";
import { openAudit } from "../../store/audit/read-audit.ts";
import { openBackgroundCommandReader } from "../../store/read-background-commands.ts";
import { openSessionSearch } from "../../store/search/search-sessions.ts";
import { systemClock } from "../../system/clock.ts";
import type { AgentServices } from "../agent/agent-services.ts";
import { copyDemoProject } from "./demo-project.ts";
import { daemonStatus } from "./daemon-status.ts";
import { modelCatalogService } from "./refresh-model-catalog.ts";
import { pluginServerMatcher } from "../../plugin/plugin-servers.ts";
import { expandPrompt } from "./expand-prompt.ts";
import { searchKeysInEnv, servicesWithKeys } from "./search-service.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";
import { openFileFinder, type FileFinder } from "../../system/files/file-finder.ts";
import { listReadableFiles } from "../agent/readable-files.ts";

type ApiServicesOptions = {
  foundation: Foundation;
  agent: AgentServices;
  services: SharedDependencies;
  sessions: Sessions;
  endpoint: Endpoint;
  load: (workspace: string) => Promise<void>;
  /** Facts about this run of the daemon for clients. */
  life: Omit<Discovery, "token">;
  connections: () => SocketUsage;
  stop: () => void;
  /** The folder of the built page. */
  page: string;
};

/** Builds the services that procedures use. */
export function apiServices(options: ApiServicesOptions): ApiServices {
  const { foundation, agent, services, sessions, endpoint, load, stop, page } = options;
  const { paths, env, home, config, managed, workspaces, spending, ports, store } = foundation;
  const browserTokens = openBrowserTokens(store.database);
  return {
    sessions,
    summaries: openSessionSummaries(services.store.log),
    search: openSessionSearch(store.database, store.search),
    audit: openAudit(store.database),
    commands: { read: openBackgroundCommandReader(store.database), monitor: ports.commands },
    workspaces,
    places: foundation.places,
    services,
    loadWorkspace: async (cwd) => {
      const folder = resolveFolder(cwd);
      await load(folder);
      return folder;
    },
    models: {
      registry: agent.models,
      catalog: modelCatalogService(agent.catalogStore, agent.models),
      providers: knownProviders.map(({ name, keyNames, baseUrl }) => ({ name, local: keyNames === undefined, baseUrl })),
      searchServices: servicesWithKeys,
      keys: { ...agent.keys, known: () => [...keysInEnv(env), ...searchKeysInEnv(env), ...agent.keys.list()] },
    },
    usage: { since: spending.since, today: () => spending.whole(systemClock.now()) },
    modes: {
      registry: agent.modes,
      editor: openModeEditor(agent.modes, { config: paths.config, trusted: (workspace) => isTrusted(foundation, workspace) }),
      validate: validateModes,
    },
    mcp: {
      servers: agent.servers,
      logins: agent.logins,
      clientServers: agent.clientServers,
      profiles: agent.profiles,
      endpoint,
      parseServers: parseImportedServers,
    },
    config: {
      now: config.now,
      schema: configJsonSchema,
      refresh: async () => void (await Promise.all([config.refresh(), managed.refresh()])),
      addRules: config.addRules,
      appendRule: config.appendRule,
      changeRule: config.changeRule,
      importRules: (source) => importRules(source, { home, settings: env["XDG_CONFIG_HOME"] ?? path.join(home, ".config") }),
      changeServers: config.changeServers,
      setModeToolset: config.setModeToolset,
      form: () => formSettings(config.now().config),
      changeSetting: config.changeSetting,
      addLocalProvider: config.addLocalProvider,
    },
    plugins: {
      installed: agent.plugins,
      set: config.setPlugin,
      forgetLogins: ({ name, parts }) => agent.logins.forget(pluginServerMatcher(name, Object.keys(parts?.servers ?? {}))),
    },
    prompts: { guidance: agent.guidance, expand: expandPrompt(agent.guidance, agent.modeServers) },
    auth: {
      login: openPageLogin(() => browserTokens.issue(Date.now()), Date.now),
      acceptsToken: (token) => browserTokens.accept(token, Date.now()),
    },
    demo: { project: async () => (foundation.sample === undefined ? undefined : copyDemoProject(foundation.sample)) },
    files: fileFinder(services, () => systemClock.now()),
    uploads: ports.uploads,
    editor: { buffers: ports.buffers, diagnostics: agent.languages.editors, windows: openEditorWindows() },
    daemon: {
      status: daemonStatus({
        life: options.life,
        paths,
        database: store.database,
        isRemote: store.remote,
        sessions,
        connections: options.connections,
        defaultMode: () => services.settings.defaultMode(""),
        sandbox: foundation.sandbox.state,
        terminalProblem: ports.terminalProblem,
        diagnostics: (workspace) => settingsDiagnostics(foundation, agent, services, workspace),
      }),
      languageServers: agent.languages.installed,
      stop,
    },
    page,
  };
}

/** The problems of the user's settings, and those of one project, or of all known projects. */
function settingsDiagnostics(
  { paths, env, config, managed, projects }: Foundation,
  { projectServers, languages, guidance }: AgentServices,
  { modes }: SharedDependencies,
  workspace: string | undefined,
) {
  const inProjects = [
    ...projects.diagnostics(),
    ...projectServers.diagnostics(),
    ...languages.projectServers.diagnostics(),
    ...guidance.leftOut(),
  ];
  return [
    ...config.now().diagnostics,
    ...unsetVariableProblems({ ...config.now(), file: paths.configFile }, env),
    ...defaultModeProblem(config.now(), paths.configFile, modes(workspace ?? "").all()),
    ...managed.now().diagnostics,
    ...inProjects.filter(({ file }) => workspace === undefined || file.startsWith(workspace + path.sep)),
  ];
}

/** More files than this are not offered for completion. */
const MAX_FILES = 200_000;

/** Finds files of workspaces for completion. */
const fileFinder = (services: SharedDependencies, now: () => number): FileFinder => {
  const list = listReadableFiles(services);
  return openFileFinder({ now, list: async (workspace) => (await list(workspace, MAX_FILES))?.files });
};
