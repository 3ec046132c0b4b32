import { builtinMode, builtinModes } from "@baton/core/mode/builtin-modes";
import { changesRow } from "../../src/store/projections.ts";
import type { EventLog } from "../../src/store/event-log.ts";
import type { SessionDependencies } from "../../src/session/session-dependencies.ts";
import type { Workspaces } from "../../src/session/workspaces.ts";
import { retrySettings } from "../../src/config/derived-settings.ts";
import { openCachedOffers } from "../../src/tool/cached-offers.ts";
import { defaultAvailability } from "../../src/tool/tool-availability.ts";
import { openRuleSets } from "../../src/composition/rule-sets.ts";
import { nothing } from "./settings.ts";
import { simModel } from "./model.ts";
import type { Run } from "./run.ts";

type PartsOptions = { log: EventLog; workspaces: Workspaces; rejudge: (workspace: string) => void };

/** What sessions are given of this world: everything but the machine, the model, the store and the clock is the real thing. */
export function simParts(run: Run, { log, workspaces, rejudge }: PartsOptions): Omit<SessionDependencies, "committed" | "children"> {
  const model = simModel(run);
  const { clock, machine, scheduler, draws } = run;
  const { lists, derive } = run.store;
  return {
    log,
    derive,
    changesRow,
    clock,
    random: () => draws.below(1_000) / 1_000,
    snapshot: (id) => scheduler.step(`snapshot of ${id}`, () => lists.snapshot(id)),
    tools: () => run.tools,
    ...run.servers,
    situation: () => defaultAvailability,
    offer: openCachedOffers(),
    schemaOf: ({ name, description }) => ({ name, description, schema: {} }),
    stopCommands: () => Promise.resolve(),
    ports: ({ keep }) => machine.ports(keep),
    versions: machine.versions,
    told: async () => ({ instructions: { files: [], nested: [] }, skills: [], texts: { identity: "", how: "" } }),
    text: async () => "",
    compaction: () => ({ auto: false }),
    smallModel: () => undefined,
    fallbacks: () => ["sim/b"],
    retries: () => retrySettings(),
    spending: { today: () => 0, isToday: () => false, budget: () => undefined, add: () => undefined },
    readBlob: async () => undefined,
    modes: () => ({ all: () => builtinModes, get: builtinMode, unread: () => undefined }),
    defaultMode: () => "code",
    limits: () => ({ steps: 200 }),
    models: {
      knows: (name) => name === "sim/a" || name === "sim/b",
      fault: (name) => (name === "sim/a" || name === "sim/b" ? undefined : `There is no model "${name}".`),
      resolve: ([wanted]) => ({ id: wanted ?? "sim/a", model }),
      facts: () => undefined,
    },
    rules: openRuleSets({ config: () => run.config, managed: () => nothing, projects: { of: () => nothing }, workspaces }),
    trust: workspaces.trust,
    settleTrust: async (workspace, trusted, by) => {
      await workspaces.settleTrust(workspace, trusted, by);
      rejudge(workspace);
    },
    projectFiles: () => [],
    coordination: () => run.config.config.coordination ?? "auto",
    gate: (access) => [access],
    grantToWorkspace: async (workspace, grant) => {
      await workspaces.give(workspace, grant, { daemon: true });
      rejudge(workspace);
    },
    report: (problem, error) => run.promises.reported(problem, error),
  };
}
