import { omitUndefined } from "@baton/core/text/omit-undefined";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { builtinModes } from "@baton/core/mode/builtin-modes";
import { readEnvironmentContext } from "../../place/read-environment-context.ts";
import { refuse } from "@baton/core/protocol/refusal";
import { ENDPOINT_MODE, mcpEndpointMode } from "@baton/core/mode/mcp-endpoint-mode";
import { quoteFor } from "../../system/platform/quote.ts";
import { checkSettings } from "./configured-checks.ts";
import { restrictConfig } from "../../config/restrict-config.ts";
import { retrySettings } from "../../config/resolve-settings.ts";
import type { Config } from "../../config/config-schema.ts";
import { projectAgentFiles } from "../../config/project/project-agent-files.ts";
import { changesRow, projectionStatements } from "../../store/projections.ts";
import { usageDay } from "../../store/usage-ledger.ts";
import type { ListedMode, ModeRegistry } from "../../mode/mode-registry.ts";
import type { Mode } from "@baton/core/protocol/mode";
import { pathGate } from "../../permission/path.ts";
import { askForUnsavedFiles } from "../../permission/ask-for-unsaved-files.ts";
import { systemClock } from "../../system/clock.ts";
import type { SessionSettings, SharedDependencies } from "../../session/session-dependencies.ts";
import type { WorkspaceDecisions } from "../../session/workspace/workspace-decisions.ts";
import { openCachedOfferTools } from "../../tool/cached-offer-tools.ts";
import type { AgentServices } from "../agent/agent-services.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";
import { protectedRoots } from "../foundation/protected-roots.ts";
import { areProgramsJudged, getsProjectPrograms } from "./check-project-programs.ts";
import { openFormatters } from "./open-formatters.ts";
import { openRuleSets } from "./rule-sets.ts";
import { StoreFault } from "../../store/database/store-error.ts";
import { effectiveToolset, sessionToolsets } from "./session-toolsets.ts";
import { sandboxReach } from "../../session/calls/judge/judge-sandbox.ts";
import { sandboxView } from "./sandbox-view.ts";
import { searchService } from "../api/search-service.ts";
import { sessionMcpServers } from "./session-mcp-servers.ts";
import { openToolSchemas } from "./tool-schemas.ts";
import { openToolTable, withScriptTools } from "./tool-table.ts";
import { workspaceSnapshots } from "../foundation/workspace-snapshots.ts";

/** Connects sessions with the rest of the daemon. */
export function buildSessionDependencies(foundation: Foundation, agent: AgentServices): SharedDependencies {
  const { log, machine, lists, spending, workspaces, projects, ports, gates, paths, report, late } = foundation;
  const { models, modes, guidance, servers, modeServers, profiles } = agent;
  const { shared } = foundation.store;
  const config = foundation.config.now;
  const managed = foundation.managed.now;
  const rulesChanged = (workspace: string) => late.sessions?.rejudge(workspace);
  const tools = openToolTable();
  const offer = openCachedOfferTools();
  const schemas = openToolSchemas(() => ports.terminalProblem() === undefined);
  const ownRoots = protectedRoots(paths);
  const settingsIn = (workspace: string) =>
    restrictConfig(
      config().config,
      isTrusted(foundation, workspace) ? withoutWiderMode(projects.of(workspace).config, workspace) : undefined,
    );
  /** A project may name a default mode. A mode of a plugin, or one in which the user allows more, becomes the default only by the user's own config. */
  const withoutWiderMode = (project: Config, workspace: string): Config => {
    const { defaultMode = "code", ...rest } = project;
    const isOfPlugin = agent.plugins.modes(workspace).some(({ mode }) => mode.slug === defaultMode);
    const allowed = (mode: Mode | undefined) => (mode?.permissions ?? []).filter(({ effect }) => effect === "allow");
    const usual = allowed(builtinModes.find(({ slug }) => slug === defaultMode));
    const isWider = allowed(modes.of(workspace).get(defaultMode)).some((rule) => !usual.some((each) => isDeepStrictEqual(each, rule)));
    return defaultMode !== "code" && (isOfPlugin || isWider) ? rest : project;
  };
  const searching = () => searchService(config().config, foundation.env, agent.keys.get);
  const equippedIn = effectiveToolset(() => config().config, profiles);

  return {
    clock: systemClock,
    random: Math.random,
    report,
    identity: foundation.places.identity,
    store: {
      log,
      machine,
      shared: shared && { ...shared, catchUp: () => catchUp(workspaces) },
      projectionStatements,
      changesRow,
      snapshot: lists.snapshot,
      readBlob: (hash) => ports.uploads.read(hash),
    },
    editors: foundation.editors,
    places: {
      describe: foundation.places.of,
      environmentContext: (workspace) => {
        agent.codeIndex.prepare(workspace);
        return readEnvironmentContext(workspace, {
          env: foundation.env,
          now: systemClock.now(),
          trusted: isTrusted(foundation, workspace),
        });
      },
      isolate: async (workspace, key) => {
        if (!isTrusted(foundation, workspace)) return refuse("workspace_untrusted", `${workspace} is not trusted, so it gets no worktree.`);
        const created = await foundation.places.create({ source: workspace }, key, { daemon: true });
        return "refused" in created ? created : { name: created.name, workspace: foundation.places.workspaceOf(created) };
      },
    },
    settings: {
      defaultMode: (workspace) => settingsIn(workspace).defaultMode ?? "code",
      limits: (workspace) => toLimits(settingsIn(workspace).limits),
      smallModel: () => config().config.smallModel,
      fallbackModels: () => config().config.fallbackModels ?? [],
      retries: () => retrySettings(config().config.retries),
      compaction: () => {
        const { auto = true, model } = config().config.compaction ?? {};
        return { auto, model };
      },
      coordination: () => config().config.coordination ?? "auto",
      checks: (workspace) =>
        checkSettings(config().config.checks, isTrusted(foundation, workspace) ? projects.of(workspace).config.checks : undefined),
    },
    permissions: {
      rules: openRuleSets({ config, managed, projects, workspaces, sourceOf: foundation.places.identity }),
      gate: (access, workspace, trusted = isTrusted(foundation, workspace)) => {
        const maxParts = config().config.commands?.maxParts ?? 200;
        const searchAddress = searching().service?.address;
        const { programs } = agent.environments.now(workspace);
        const context = { workspace, ownRoots, trusted, maxParts, searchAddress, programs, shell: ports.shell.kind };
        const gated = gates.now().gate(access, context);
        return "refused" in gated ? gated : askForUnsavedFiles(gated, (file) => ports.buffers.at(path.resolve(workspace, file))?.client);
      },
      trust: workspaces.trust,
      resolveTrust: async (workspace, trusted, by) => {
        await workspaces.settleTrust(workspace, trusted, by);
        servers.refresh(workspace);
        rulesChanged(workspace);
      },
      projectFiles: projectAgentFiles,
      grantToWorkspace: async (workspace, grant) => {
        await workspaces.give(workspace, grant, { daemon: true });
        rulesChanged(workspace);
      },
    },
    modes: (workspace) => {
      const known = withEndpointMode(modes.of(workspace));
      return {
        ...known,
        nameable: (from) => withoutModesOf(agent.plugins.unusedIn(workspace, from), known.all(), modes.listed(workspace).modes),
      };
    },
    models,
    prompts: { forMode: guidance.forMode, text: guidance.text },
    tools: {
      of: (selector) => {
        const outside = selector.endpoint !== undefined;
        const mode = selector.step?.mode ?? selector.mode;
        const table = tools(modeServers.offering(selector.workspace, mode), equippedIn(selector), outside);
        return outside ? table : withScriptTools(table, agent.scriptTools.of(selector.workspace));
      },
      availability: (workspace, { slug, experimentalFeatures = {} }, model) => {
        const { todoList = true, disabledTools = [], experiments = {} } = settingsIn(workspace);
        return {
          todoList,
          disabledTools,
          skills: guidance.hasSkills(workspace, slug),
          noWebSearch: searching().problem,
          noLanguageServer: agent.languages.missing(workspace, slug),
          noRename: agent.languages.missingRename(workspace, slug),
          noCodeIndex: agent.codeIndex.missing(),
          noTerminal: ports.terminalProblem(),
          experiments: { ...experiments, ...experimentalFeatures },
          mode: slug,
          model,
        };
      },
      offer,
      schemaOf: schemas,
      ports: ({ workspace, mode, roots, judged, mayRead, mayFetch, keep, contained }) => {
        const writable = roots.flatMap(({ path: folder, readOnly }) => (readOnly ? [] : folder));
        return ports.of({
          ...omitUndefined({ keep }),
          ...(contained
            ? {
                reach: sandboxReach(mode ?? "", contained),
                view: () => sandboxView(contained, { workspace, writable, ownRoots, limitedFiles: gates.now().limitedFiles }),
              }
            : {}),
          workspace,
          writable,
          environment: (command) => {
            const environment = agent.environments.now(workspace);
            const isJudged =
              environment.programs.size === 0 ||
              areProgramsJudged(command, judged, environment.programs, gates.now().gate, { workspace, ownRoots });
            if (!isJudged)
              return `The environment of ${workspace} has changed since the command was judged, so nothing was run. Call the tool again.`;
            const { variables, folders, launchers } = environment;
            const own = launchers !== undefined && getsProjectPrograms(judged) ? [launchers] : [];
            return { variables, folders: [...own, ...folders] };
          },
          environmentNews: (sessionId) => agent.environments.news(workspace, sessionId),
          library: guidance.library(workspace, mode),
          mayRead: (relative) => mayRead(relative, () => gates.now().readFloor(relative, { workspace, ownRoots })),
          mayGo: gates.now().addressChecker(judged, mayFetch),
          resolve: gates.now().judgedOnly(pathGate(workspace), judged),
          searchService: () => searching().service,
        });
      },
      stopCommands: (id) => ports.stopSession(id),
      shell: ports.shell.title,
      quote: (text) => quoteFor(ports.shell.kind, text),
    },
    snapshots: workspaceSnapshots(ports),
    languages: agent.languages.checks,
    code: agent.languages.queries,
    codeIndex: agent.codeIndex,
    formatters: openFormatters(foundation, agent.processes),
    terminals: { running: (sessionId, callId) => ports.commands.terminal({ sessionId, callId }) },
    outputs: foundation.outputs,
    sandbox: { isReady: () => foundation.sandbox.state()?.works === true },
    hooks: agent.hooks,
    scriptTools: agent.scriptTools,
    environments: agent.environments,
    servers: sessionMcpServers(servers, modeServers, workspaces),
    toolsets: sessionToolsets(servers, profiles),
    spending: {
      today: () => spending.on(systemClock.now()),
      isToday: (at) => usageDay(at) === usageDay(systemClock.now()),
      budget: () => config().config.limits?.costPerDay,
      add: (cost) => spending.add(systemClock.now(), cost),
    },
  };
}

/** Reads the grants and revocations of other machines. Nothing is judged while they cannot be read. */
const catchUp = async (workspaces: WorkspaceDecisions): Promise<void> => {
  try {
    await workspaces.catchUp();
  } catch (error) {
    throw new StoreFault(error);
  }
};

/** Converts the limits of the config to the units of the log. */
const toLimits = ({ steps = 200, cost, minutes, output }: NonNullable<Config["limits"]> = {}): ReturnType<SessionSettings["limits"]> => ({
  steps,
  ...omitUndefined({ cost }),
  ...(minutes === undefined ? {} : { timeMs: minutes * 60_000 }),
  ...(output === undefined ? {} : { output: output * 1_000_000 }),
});

/** The mode of endpoint sessions can be found by its name but is not listed. */
const withEndpointMode = (known: ReturnType<ModeRegistry["of"]>): ReturnType<ModeRegistry["of"]> => ({
  ...known,
  get: (slug) => (slug === ENDPOINT_MODE ? mcpEndpointMode : known.get(slug)),
});

/** The modes without those of these plugins. A mode of the user with the same name stays. */
function withoutModesOf(plugins: ReadonlySet<string>, all: readonly Mode[], listed: readonly ListedMode[]): readonly Mode[] {
  if (plugins.size === 0) return all;
  const ofThem = new Set(listed.flatMap(({ slug, plugin }) => (plugin !== undefined && plugins.has(plugin) ? slug : [])));
  return all.filter(({ slug }) => !ofThem.has(slug));
}
