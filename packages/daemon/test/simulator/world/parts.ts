import { builtinMode, builtinModes } from "@baton/core/mode/builtin-modes";
import { changesRow } from "../../../src/store/projections.ts";
import type { EventLog } from "../../../src/store/event-log.ts";
import type { SharedDependencies } from "../../../src/session/session-dependencies.ts";
import type { WorkspaceDecisions } from "../../../src/session/workspace/workspace-decisions.ts";
import { retrySettings } from "../../../src/config/resolve-settings.ts";
import { openCachedOfferTools } from "../../../src/tool/cached-offer-tools.ts";
import { defaultAvailability } from "../../../src/tool/tool-availability.ts";
import { openRuleSets } from "../../../src/composition/sessions/rule-sets.ts";
import { nothing, simChecks } from "./settings.ts";
import { openFileEditors } from "../../../src/session/files/file-editors.ts";
import { simHooks } from "./hooks.ts";
import { simModel } from "./model.ts";
import { noCodeIndex, noCodeQueries, simLanguages } from "./languages.ts";
import type { Run } from "../run.ts";

type PartsOptions = { log: EventLog; workspaces: WorkspaceDecisions; rejudge: (workspace: string) => void };

/** The dependencies of simulated sessions. Only the machine, the model, the store and the clock are simulated. */
export function simParts(run: Run, { log, workspaces, rejudge }: PartsOptions): SharedDependencies {
  const model = simModel(run);
  const { clock, machine, scheduler, draws } = run;
  const { lists, projectionStatements } = run.store;
  return {
    clock,
    random: () => draws.below(1_000) / 1_000,
    report: (problem, error) => run.promises.reported(problem, error),
    identity: (folder) => folder,
    languages: simLanguages(run),
    code: () => noCodeQueries,
    codeIndex: noCodeIndex,
    formatters: { format: async () => undefined },
    editors: openFileEditors(log, lists, () => clock.now()),
    places: {
      describe: () => undefined,
      environmentContext: async () => ({ date: "2026-01-01" }),
      isolate: async () => ({ refused: { code: "place_impossible", message: "There is no git here." } }),
    },
    store: {
      log,
      projectionStatements,
      changesRow,
      snapshot: (id) => scheduler.step(`snapshot of ${id}`, () => lists.snapshot(id)),
      readBlob: async () => undefined,
    },
    settings: {
      defaultMode: () => "code",
      limits: () => ({ steps: 200 }),
      smallModel: () => undefined,
      fallbackModels: () => ["sim/b"],
      retries: () => retrySettings(),
      compaction: () => ({ auto: false }),
      coordination: () => run.config.config.coordination ?? "auto",
      checks: () => simChecks(run.config),
    },
    permissions: {
      rules: openRuleSets({
        config: () => run.config,
        managed: () => nothing,
        projects: { of: () => nothing },
        workspaces,
        sourceOf: (folder) => folder,
      }),
      gate: (access) => [access],
      trust: workspaces.trust,
      resolveTrust: async (workspace, trusted, by) => {
        await workspaces.settleTrust(workspace, trusted, by);
        rejudge(workspace);
      },
      projectFiles: () => [],
      grantToWorkspace: async (workspace, grant) => {
        await workspaces.give(workspace, grant, { daemon: true });
        rejudge(workspace);
      },
    },
    modes: () => ({ all: () => builtinModes, nameable: () => builtinModes, get: builtinMode, unread: () => undefined }),
    models: {
      knows: (name) => name === "sim/a" || name === "sim/b",
      fault: (name) => (name === "sim/a" || name === "sim/b" ? undefined : `There is no model "${name}".`),
      resolve: ([wanted]) => ({ id: wanted ?? "sim/a", model }),
      facts: () => undefined,
    },
    prompts: {
      forMode: async () => ({ instructions: { files: [], nested: [] }, skills: [], texts: { identity: "", how: "" } }),
      text: async () => "",
    },
    sandbox: { isReady: () => false },
    terminals: { running: () => undefined },
    outputs: { add: () => undefined, read: async () => "", remove: () => undefined, removeSession: async () => undefined },
    hooks: simHooks(run),
    scriptTools: {
      of: () => [],
      list: () => ({ tools: [], problems: [] }),
      questions: () => [],
      isOpen: () => false,
      settle: async () => undefined,
    },
    environments: {
      prepare: async () => undefined,
      isUnread: () => false,
      now: () => ({ tools: [], variables: {}, folders: [], programs: new Map(), problems: [] }),
      questions: () => [],
      ask: () => [],
      settle: async () => undefined,
      choose: async () => undefined,
      news: () => [],
      report: async () => ({ tools: [], variables: [], problems: [] }),
    },
    tools: {
      of: () => run.tools,
      availability: () => defaultAvailability,
      offer: openCachedOfferTools(),
      schemaOf: ({ name, description }) => ({ name, description, schema: {} }),
      ports: ({ keep }) => machine.ports(keep),
      quote: (text) => text,
      stopCommands: () => Promise.resolve(),
      shell: "bash",
    },
    snapshots: machine.snapshots,
    ...run.servers,
    spending: { today: () => 0, isToday: () => false, budget: () => undefined, add: () => undefined },
  };
}
